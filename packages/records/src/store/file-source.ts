import type { TypedRows } from '@redoubt/query';
import type { Engine, QueryOptions } from '../engine/engine.ts';
import { tableFormats, type TableFormat } from '../formats/table-format.ts';

const newline = 0x0a;
/** A page ends with the row that fills so many bytes of text: where, the rows alone decide. */
const pageBytes = 2_000_000;

export interface FileSource {
  engine: Pick<Engine, 'bytes'>;
  typed: TypedRows;
  format: TableFormat;
  /** What the engine answers to `typed.rows`, cut anywhere. */
  text: AsyncIterable<Uint8Array>;
  /** How a page is asked for. */
  options: Omit<QueryOptions, 'format'>;
}

/**
 * The bytes of one file. The engine ran the statement once and cuts its rows where it pleases, also by what it passed
 * over; so they are put together again, cut by what they hold alone, and each page is written as one block.
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
  const asked: QueryOptions = {
    ...options,
    settings: { ...options.settings, ...onePart, ...settings },
    format: name,
  };
  let isEmpty = true;
  for await (const page of pagesOf(text)) {
    isEmpty = false;
    yield joined.add(await engine.bytes(typed.page(page.toString()), asked));
  }
  if (isEmpty) yield joined.add(await engine.bytes(typed.page(''), asked));
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
