import sax from 'sax';
import { recordIdColumn } from '../columns/choose-columns.ts';
import type { RejectedRow, Row } from '../file-format.ts';
import { maxRejectLength, type FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import { recordRow } from '../rows/record-row.ts';
import { quoteText } from '../rows/quote-text.ts';
import { rejectRow } from '../rows/reject-row.ts';
import type { TextChunk } from '../text/text-decoder.ts';
import { addMember, createElement, elementJson, recordJson, type XmlElement } from './xml-element.ts';
import { saxOptions, type RowPath } from './find-row-path.ts';
import type { RecordChange } from '../json/change-record.ts';

export interface XmlReaderOptions {
  rowPath: RowPath;
  limits: FileLimits;
  fileName: string;
  change: RecordChange;
  invalidText: (text: string) => string | undefined;
  onRow: (row: Row | RejectedRow) => void;
}

/** The row that is being read. */
interface OpenRow {
  readonly elements: XmlElement[];
  readonly line: number;
  readonly offset: number;
  /** The beginning of its text, in earlier chunks. */
  head: string;
  length: number;
  problem: string | undefined;
}

/** Reads the elements that are rows from chunks of text, and rejects other elements at the same level. */
export function createXmlReader({
  rowPath,
  limits,
  fileName,
  change,
  invalidText,
  onRow,
}: XmlReaderOptions): {
  push(chunk: TextChunk): void;
  end(): void;
} {
  const parser = sax.parser(true, saxOptions);
  const path: string[] = [];
  let row: OpenRow | undefined;
  let line = 1;
  let start = 0;
  let chunkText = '';
  let chunkStart = 0;
  let hasInvalid = false;

  const fail = (text: string): never => {
    throw new FileParseError(fileName, parser.line + 1, text);
  };

  const isRowLevel = (): boolean =>
    path.length === rowPath.length - 1 && path.every((name, depth) => name === rowPath[depth]);

  function add(target: OpenRow, text: string): void {
    target.length += text.length;
    if (target.length > limits.maxRowLength) {
      target.problem ??= `it has more than ${String(limits.maxRowLength)} characters, the limit of a row.`;
    }
    if (hasInvalid) target.problem ??= invalidText(text);
  }

  function openElement({ name, attributes }: sax.Tag): void {
    if (row === undefined && isRowLevel()) {
      row = { elements: [], line, offset: start, head: '', length: 0, problem: undefined };
      if (name !== rowPath.at(-1)) {
        row.problem = `the element <${name}> stands between the rows, which are <${rowPath.at(-1) ?? ''}>.`;
      }
    }
    path.push(name);
    if (row === undefined) return;
    if (row.elements.length >= limits.maxNesting) {
      row.problem ??= `its elements are nested more than ${String(limits.maxNesting)} deep.`;
    }
    add(row, name);
    if (row.problem !== undefined && row.elements.length > 0) return;
    const element = createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      add(row, value);
      addMember(element, `@${key}`, quoteText(value));
    }
    row.elements.push(element);
  }

  function closeElement(): void {
    path.pop();
    if (row === undefined) return;
    if (path.length === rowPath.length - 1) {
      finishRow(row);
      row = undefined;
      return;
    }
    // Elements of a row with a problem are not kept.
    if (row.problem !== undefined) return;
    const element = row.elements.pop();
    const parent = row.elements.at(-1);
    if (element === undefined || parent === undefined) return;
    parent.hasElements = true;
    addMember(parent, element.name, elementJson(element));
  }

  function addText(text: string): void {
    if (row === undefined) return;
    add(row, text);
    const element = row.elements.at(-1);
    if (row.problem === undefined && element !== undefined) element.text += text;
  }

  function textOf({ head, offset }: OpenRow): string {
    const from = Math.max(0, offset - chunkStart);
    return (head + chunkText.slice(from, parser.position - chunkStart)).slice(0, maxRejectLength);
  }

  function finishRow(done: OpenRow): void {
    const { line, offset, problem, elements } = done;
    const [element] = elements;
    if (problem !== undefined || element === undefined) {
      onRow(rejectRow(line, offset, problem ?? 'it is no element.', textOf(done)));
      return;
    }
    const hasRecordId = element.members.has(recordIdColumn);
    onRow(
      recordRow(
        { line, offset, json: recordJson(element), hasRecordId, text: textOf(done) },
        change,
        fileName,
      ),
    );
  }

  Object.assign(parser, {
    onopentagstart() {
      line = parser.line + 1;
      start = parser.startTagPosition - 1;
    },
    onopentag: openElement,
    onclosetag: closeElement,
    ontext: addText,
    oncdata: addText,
    ondoctype: () =>
      fail('it has a document type definition (<!DOCTYPE …>), which is not supported. Remove it.'),
    onerror: (error: Error) => fail(`invalid XML: ${(error.message.split('\n')[0] ?? '').trim()}.`),
  });

  return {
    push(chunk) {
      hasInvalid ||= chunk.hasInvalid;
      chunkText = chunk.text;
      parser.write(chunk.text);
      if (row !== undefined) row.head = textOf(row);
      chunkStart += chunk.text.length;
      chunkText = '';
    },
    end() {
      parser.close();
    },
  };
}
