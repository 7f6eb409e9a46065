import { ClickHouseLogLevel, createClient, type ClickHouseSettings } from '@clickhouse/client';
import { Readable } from 'node:stream';
import { commonStatementSettings } from './common-statement-settings.ts';

export interface ClickhouseAddress {
  /** `http://host:port` or `https://host:port`. */
  url: string;
  username: string;
  password: string;
}

export interface Statement {
  sql: string;
  /** The query id, which is needed to kill the statement. */
  id: string;
  settings: Readonly<Record<string, number | string>>;
  /** The format of the response. */
  format?: string;
  /** Rows to insert; the statement names their format. */
  data?: Uint8Array | Readable;
  /** Closes the connection; the server may continue to work. */
  signal?: AbortSignal;
}

export interface StatementResponse {
  body: Readable;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ClickhouseConnection {
  /** @throws ClickHouseError for an error of the server; another error if there was no response */
  send(statement: Statement): Promise<StatementResponse>;
  close(): Promise<void>;
}

/**
 * The timeout of a silent connection. It is long because sorting may take minutes before the first byte. The server
 * enforces the limits of statements, and the operating system detects dead peers.
 */
const silenceMs = 24 * 3600 * 1000;
/** Connections for statements that kill others, so that they need not wait. */
const controlConnections = 4;

/**
 * Overrides the profile of the user: an error that is written as a row would reach readers, with the values it quotes.
 */
const errorsOutsideRows = { http_write_exception_in_output_format: 0 };

/**
 * A pool of connections to the HTTP interface of one server. It logs nothing, because statements contain input of
 * users.
 */
export function createConnectionPool(address: ClickhouseAddress, connections: number): ClickhouseConnection {
  const client = createClient({
    url: address.url,
    username: address.username,
    password: address.password,
    application: 'redoubt',
    max_open_connections: connections + controlConnections,
    request_timeout: silenceMs,
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    compression: { request: false, response: false },
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    async send({ sql, id, settings, format, data, signal }) {
      // Like settings, `default_format` and `wait_end_of_query` are parameters of the URL.
      const named = {
        ...commonStatementSettings,
        ...errorsOutsideRows,
        ...settings,
        ...(format === undefined ? {} : { default_format: format }),
      };
      const { stream, response_headers: headers } = await client.exec({
        query: sql,
        query_id: id,
        clickhouse_settings: textsOf(named),
        ...(data === undefined ? {} : { values: data instanceof Readable ? data : Readable.from([data]) }),
        ...(signal === undefined ? {} : { abort_signal: signal }),
      });
      signal?.addEventListener('abort', () => stream.destroy(), { once: true });
      return { body: stream, headers };
    },
    close: async () => client.close(),
  };
}

const textsOf = (settings: Readonly<Record<string, number | string>>): ClickHouseSettings =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
