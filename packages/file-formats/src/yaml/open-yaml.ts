import { isMap, isSeq, LineCounter, parseAllDocuments, type Document, type Node } from 'yaml';
import type { FileOptions, OpenedFile, RejectedRow, Row, RowBatch } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import { createRecordChange } from '../json/change-record.ts';
import { recordRow } from '../rows/record-row.ts';
import { rejectRow } from '../rows/reject-row.ts';
import { createRowCounter } from '../rows/row-counter.ts';
import { ExpansionError } from '../sources/read-pass.ts';
import type { TextSource } from '../text/open-text.ts';
import { createYamlPrinter, YamlValueError } from './yaml-json.ts';

/** The maximum characters of JSON for each character of YAML. Aliases can repeat a value many times. */
const maxAliasExpansion = 10;
const freeCharacters = 1_000_000;
const batchRows = 1000;

/** Opens a YAML file: its documents are rows, or the elements of a document that is a list. */
export function openYaml(text: TextSource, options: FileOptions, limits: FileLimits): OpenedFile {
  const { fileName } = options;
  const change = createRecordChange(options);

  async function* rows(): AsyncGenerator<RowBatch> {
    const counter = createRowCounter(limits, fileName);
    const source = await wholeText(text, limits, fileName);
    const lines = new LineCounter();
    const documents = parseDocuments(source, lines, fileName);
    let left = Math.max(freeCharacters, source.length * maxAliasExpansion);
    const spend = (characters: number): void => {
      left -= characters;
      if (left < 0) {
        throw new ExpansionError(
          fileName,
          0,
          `its aliases grow to more than ${String(maxAliasExpansion)} times the size of the file. Write the values out.`,
        );
      }
    };

    function rowOf(node: Node, print: ReturnType<typeof createYamlPrinter>): Row | RejectedRow {
      const offset = node.range?.[0] ?? 0;
      const { line } = lines.linePos(offset);
      const own = source.slice(offset, node.range?.[1] ?? offset);
      const invalid = text.invalidText(own);
      if (invalid !== undefined) return rejectRow(line, offset, invalid, own);
      if (!isMap(node)) return rejectRow(line, offset, 'a record must be a map.', own);
      try {
        return recordRow({ line, offset, ...print(node), text: own }, change, fileName);
      } catch (error) {
        if (error instanceof YamlValueError) return rejectRow(line, offset, error.message, own);
        throw error;
      }
    }

    let batch: (Row | RejectedRow)[] = [];
    for (const document of documents) {
      const print = createYamlPrinter(document, limits, spend);
      for (const node of recordsOf(document)) {
        batch.push(rowOf(node, print));
        if (batch.length < batchRows) continue;
        yield counter.count(batch);
        batch = [];
      }
    }
    if (batch.length > 0) yield counter.count(batch);
  }

  return { format: 'yaml', containers: [], encoding: text.encoding, rows };
}

function recordsOf({ contents }: Document.Parsed): readonly Node[] {
  if (contents === null) return [];
  return isSeq(contents) ? contents.items : [contents];
}

/** Documents are read as a whole, because a list is one value. */
async function wholeText(text: TextSource, { maxYamlLength }: FileLimits, fileName: string): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const chunk of text.chunks()) {
    parts.push(chunk.text);
    length += chunk.text.length;
    if (length > maxYamlLength) {
      throw new FileParseError(
        fileName,
        0,
        `it has more than ${String(maxYamlLength)} characters, the limit of YAML files. Split it, or send it as NDJSON.`,
      );
    }
  }
  return parts.join('');
}

function parseDocuments(source: string, lineCounter: LineCounter, fileName: string): Document.Parsed[] {
  const parsed = parseAllDocuments(source, { lineCounter, uniqueKeys: false, prettyErrors: false });
  const documents = 'empty' in parsed ? [] : parsed;
  for (const { errors } of documents) {
    const [error] = errors;
    if (error !== undefined) {
      throw new FileParseError(
        fileName,
        lineCounter.linePos(error.pos[0]).line,
        `invalid YAML: ${error.message}.`,
      );
    }
  }
  return documents;
}
