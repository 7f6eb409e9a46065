import type { FileOptions, OpenedFile, RejectedRow, Row, RowBatch } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { createRecordChange } from '../json/change-record.ts';
import { createRowCounter } from '../rows/row-counter.ts';
import type { TextSource } from '../text/open-text.ts';
import { findRowPath } from './find-row-path.ts';
import { createXmlReader } from './xml-reader.ts';

/** Opens an XML document, whose repeated elements are rows. */
export function openXml(text: TextSource, options: FileOptions, limits: FileLimits): OpenedFile {
  const { fileName } = options;
  const change = createRecordChange(options);
  const rowPath = findRowPath(text.sample);

  async function* rows(): AsyncGenerator<RowBatch> {
    const counter = createRowCounter(limits, fileName);
    let batch: (Row | RejectedRow)[] = [];
    const reader = createXmlReader({
      rowPath,
      limits,
      fileName,
      change,
      invalidText: text.invalidText,
      onRow: (row) => batch.push(row),
    });
    const take = (): RowBatch => {
      const full = batch;
      batch = [];
      return counter.count(full);
    };

    for await (const chunk of text.chunks()) {
      let error: unknown;
      try {
        reader.push(chunk);
      } catch (thrown) {
        error = thrown;
      }
      if (batch.length > 0) yield take();
      if (error !== undefined) throw error;
    }
    reader.end();
    if (batch.length > 0) yield take();
  }

  return { format: 'xml', containers: [], encoding: text.encoding, rows };
}
