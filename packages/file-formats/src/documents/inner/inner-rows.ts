import type { Row, RowBatch } from '../../file-format.ts';
import { FileParseError } from '../../file-parse-error.ts';
import { insideOf, type OpenContext } from '../../open-context.ts';
import { fromBytes } from '../../sources/data-source.ts';
import { containsOnlyDocuments } from '../document-formats.ts';
import { pageRow } from '../document-page.ts';

/** The content of a document inside another. */
export interface InnerContent {
  /** The step that leads to it. */
  readonly step: string;
  /** As a record can store it. */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * The rows of a document inside another. A document that cannot be read has a row that says why, so that it can be found
 * by its name, and its bytes can be had.
 * @param rowsBefore the rows of the outer document before it
 */
export async function* innerRows(
  { step, name, content }: InnerContent,
  context: OpenContext,
  rowsBefore: number,
): AsyncGenerator<RowBatch> {
  const { limits, inner: usage = { documents: 0, bytes: 0 } } = context;
  const fileName = name;
  const inside = insideOf({ ...context, inner: usage }, fileName);
  const { scansFrom = Infinity } = context.options;
  const options = { ...inside.options, scansFrom: scansFrom - rowsBefore };
  let page = 0;
  const rowOf = (row: Row, format: string): Row => {
    usage.bytes += row.json.length;
    if (usage.bytes > limits.maxDocumentBytes)
      throw new FileParseError(fileName, 0, tooMuchText(limits.maxDocumentBytes));
    page++;
    if (row.begins !== undefined)
      return { ...row, begins: { ...row.begins, path: `${step}/${row.begins.path}` } };
    return page === 1 ? { ...row, begins: { path: step, name: fileName, format } } : row;
  };
  try {
    if (context.depth >= limits.maxInnerDepth)
      throw new FileParseError(fileName, 0, tooDeep(limits.maxInnerDepth));
    const { format, rows } = await context.open(fromBytes(content), { ...inside, options });
    if (containsOnlyDocuments(format)) yield [rowOf(pageRow(1, '', limits, fileName), format)];
    for await (const batch of rows())
      yield batch.map((row) =>
        rowOf(row.kind === 'row' ? row : pageRow(1, '', limits, fileName, { error: row.reason }), format),
      );
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof FileParseError ? error.text : `it cannot be read (${error.message}).`;
    const row = pageRow(page + 1, '', limits, fileName, { error: reason.slice(0, maxReason) });
    yield [page === 0 ? { ...row, begins: { path: step, name: fileName, format: 'other' } } : row];
  }
}

const maxReason = 1000;

const tooDeep = (depth: number): string =>
  `it is inside more than ${String(depth)} documents that contain each other. Send it by itself.`;
const tooMuchText = (bytes: number): string =>
  `the documents inside this one have more than ${String(bytes)} bytes of text together. Send it by itself.`;
