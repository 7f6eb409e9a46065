import { EngineFault, openChdbEngine, type Engine } from '@redoubt/records';
import { RedoubtError } from '@redoubt/errors';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * As much of ClickHouse's HTTP interface as Redoubt uses, in front of chdb in this process. It shows that requests
 * and answers survive the way over the network, and no more: locking, replication, quotas and other versions of a real
 * server are not in it.
 */

const [folder = '', user = 'default', password = ''] = process.argv.slice(2);
const engine = await openChdbEngine({
  path: folder,
  memoryLimitBytes: 4_000_000_000,
  lanes: { write: 4, short: 16, long: 24 },
});
const credential = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const running = new Map<string, AbortController>();
const tag = 'abcdefghijklmnop';

/** Parameters of the address that are no settings, or that chdb takes elsewhere. */
const noSettings = new Set(
  'query query_id database default_format wait_end_of_query max_query_size async_insert input_format_parallel_parsing'.split(
    ' ',
  ),
);

/** What a server says of a fault: its number, and a text that quotes the statement, as the real one does. */
function faultText(fault: unknown, sql: string): { code: number; text: string } {
  const isLimit = fault instanceof RedoubtError && fault.name === 'QueryError';
  const code = isLimit ? 159 : fault instanceof EngineFault ? (fault.engineCode ?? 1002) : 394;
  return {
    code,
    text: `Code: ${String(code)}. DB::Exception: While executing ${sql}. (TEST_FAULT) (version 26.7)\n`,
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function refuse(
  response: ServerResponse,
  status: number,
  { code, text }: { code: number; text: string },
): void {
  response.writeHead(status, { 'x-clickhouse-exception-code': code, 'x-clickhouse-exception-tag': tag });
  response.end(text);
}

type Insert = Parameters<Engine['insert']>[0];

function insertOf(sql: string, data: Buffer): Insert | undefined {
  const found = /^INSERT INTO (\S+) \(([^)]+)\) FORMAT (TabSeparated|JSONEachRow)$/.exec(sql);
  const [, table, columns, format] = found ?? [];
  if (table === undefined || columns === undefined) return undefined;
  return { table, columns: columns.split(', '), data, format: format as NonNullable<Insert['format']> };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping') return void response.end('Ok.\n');
  const body = await bytesOf(request);
  if (request.headers.authorization !== credential) {
    return refuse(response, 403, {
      code: 516,
      text: 'Code: 516. DB::Exception: No. (AUTHENTICATION_FAILED)\n',
    });
  }
  const id = url.searchParams.get('query_id') ?? '';
  const inAddress = url.searchParams.get('query');
  const sql = inAddress ?? body.toString('utf8');
  const killed = /^KILL QUERY.* WHERE query_id = '([^']+)' ASYNC$/.exec(sql)?.[1];
  if (killed !== undefined) {
    running.get(killed)?.abort();
    return void response.end();
  }
  const stop = new AbortController();
  running.set(id, stop);
  const isWhole = url.searchParams.get('wait_end_of_query') === '1';
  try {
    const insert = inAddress === null ? undefined : insertOf(sql, body);
    if (insert !== undefined) await engine.insert(insert);
    else await send(sql, url.searchParams, isWhole, stop.signal, response);
    response.end();
  } catch (fault) {
    const said = faultText(fault, sql);
    if (!response.headersSent) return refuse(response, 500, said);
    response.write(
      `\r\n__exception__\r\n${tag}\r\n${said.text}${String(said.text.length)} ${tag}\r\n__exception__\r\n`,
      () => response.socket?.end(),
    );
  } finally {
    running.delete(id);
  }
}

async function send(
  sql: string,
  parameters: URLSearchParams,
  isWhole: boolean,
  signal: AbortSignal,
  response: ServerResponse,
): Promise<void> {
  const settings = Object.fromEntries(
    [...parameters].filter(([name]) => !noSettings.has(name)).map(([name, value]) => [name, valueOf(value)]),
  );
  const format = parameters.get('default_format') ?? 'Null';
  response.setHeader('x-clickhouse-exception-tag', tag);
  const asked = { lane: isWhole ? 'short' : 'long', format, settings, signal } as const;
  if (isWhole) return void response.write(await engine.bytes(sql, asked));
  for await (const chunk of engine.query(sql, asked)) {
    if (!response.write(chunk)) await drained(response);
    if (response.destroyed) return;
  }
}

const valueOf = (text: string): number | string => (/^[\d.]+$/.test(text) ? Number(text) : text);

/** Waits for the reader, also for one that goes away. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
    if (response.destroyed) go();
  });

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(Number(process.env.REDOUBT_TEST_CLICKHOUSE_PORT ?? 0), '127.0.0.1', () => {
  process.stdout.write(`listening on ${String((server.address() as AddressInfo).port)}\n`);
});
process.on('disconnect', () => process.exit(0));
