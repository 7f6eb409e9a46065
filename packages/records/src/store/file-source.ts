import type { TypedRows } from '@redoubt/query';
import type { Engine, QueryOptions } from '../engine/engine.ts';
import { tableFormats, type TableFormat } from '../formats/table-format.ts';

const newline = 0x0a;
/** A page ends with the row that reaches this many bytes of text, so the pages depend only on the rows. */
const pageBytes = 2_000_000;

export interface FileSource {
  engine: Pick<Engine, 'bytes'>;
  typed: TypedRows;
  format: TableFormat;
  /** The result of `typed.rows`, in chunks of any size. */
  text: AsyncIterable<Uint8Array>;
  /** The options of the statement for a page. */
  options: Omit<QueryOptions, 'format'>;
}

/**
 * Streams the bytes of one file. The chunks of the engine may depend on hidden rows, so the rows are joined again,
 * split into pages by their own content only, and each page is written as one block.
 */
export async function* typedTable({
  engine,
  typed,
  format,
  text,
  options,
}: FileSource): AsyncGenerator<Uint8Array> {
  const { name, settings, join } = tableFormats[format];
  const joined = join(typed.names);
  const queryOptions: QueryOptions = {
    ...options,
    settings: { ...options.settings, ...onePart, ...settings },
    format: name,
  };
  let isEmpty = true;
  for await (const page of pagesOf(text)) {
    isEmpty = false;
    yield joined.add(await engine.bytes(typed.page(page.toString()), queryOptions));
  }
  if (isEmpty) yield joined.add(await engine.bytes(typed.page(''), queryOptions));
  yield joined.end();
}

const onePart = { max_threads: 1, input_format_parallel_parsing: 0, max_block_size: 1_000_000 };

async function* pagesOf(text: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const piece of text) {
    parts.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    size += piece.byteLength;
    if (size < pageBytes) continue;
    let rest = Buffer.concat(parts);
    for (;;) {
      const end = rest.indexOf(newline, pageBytes - 1);
      if (end < 0) break;
      yield rest.subarray(0, end + 1);
      rest = rest.subarray(end + 1);
    }
    parts = [rest];
    size = rest.length;
  }
  if (size > 0) yield Buffer.concat(parts);
}
