import { chooseColumns, storedColumns, type ChosenColumn } from '../columns/choose-columns.ts';
import type { FileOptions, OpenedFile, RowBatch } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { TextSource } from '../text/open-text.ts';
import { createCsvReader } from './csv-reader.ts';
import { createRowBuilder } from './csv-rows.ts';
import { inferTypes } from './infer-types.ts';
import { sniffDialect, type CsvSample } from './sniff-dialect.ts';

/** Opens a text table: CSV, TSV and the like. */
export function openCsv(
  text: TextSource,
  options: FileOptions,
  limits: FileLimits,
  format: string,
): OpenedFile {
  const { fileName } = options;
  const sample = sniffDialect(text.sample, text.isWhole, {
    ...options,
    delimiter: options.delimiter ?? (format === 'tsv' ? '\t' : undefined),
  });
  const { dialect } = sample;
  const columns = columnsOf(sample, options, limits);
  const data = dialect.header ? sample.records.slice(1) : sample.records;
  const types = inferTypes(data, columns.length);
  const typeOf = (index: number): NonNullable<OpenedFile['columns']>[number]['type'] =>
    columns[index]?.type ?? (types.isNumber[index] === true ? 'number' : 'text');

  async function* rows(): AsyncGenerator<RowBatch> {
    const builder = createRowBuilder({
      sample,
      columns,
      types,
      limits,
      fileName,
      text,
      labelFields: options.labelFields,
    });
    const reader = createCsvReader(sample.syntax, limits, builder.add);
    for await (const chunk of text.chunks()) {
      reader.push(chunk);
      const batch = builder.take();
      if (batch.length > 0) yield batch;
    }
    reader.end();
    const batch = builder.take();
    if (batch.length > 0) yield batch;
  }

  return {
    format,
    containers: [],
    encoding: text.encoding,
    dialect,
    columns: storedColumns(columns, typeOf),
    sourceColumns: columns.map(({ source }) => source),
    rows,
  };
}

function columnsOf(
  { dialect, records, skip }: CsvSample,
  options: FileOptions,
  limits: FileLimits,
): ChosenColumn[] {
  const { fileName } = options;
  const first = records[0]?.cells ?? [];
  if (first.length > limits.maxColumns) {
    throw new FileParseError(
      fileName,
      skip + 1,
      `it has ${String(first.length)} columns; a file may have up to ${String(limits.maxColumns)}.`,
    );
  }
  const header = dialect.header ? first : first.map((_, index) => `column_${String(index + 1)}`);
  return chooseColumns(header, options, skip + 1);
}
