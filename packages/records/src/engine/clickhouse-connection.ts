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
  /** By which it can be stopped. */
  id: string;
  settings: Readonly<Record<string, number | string>>;
  /** The format of the answer. */
  format?: string;
  /** Rows to insert; the statement names their format. */
  data?: Uint8Array | Readable;
  /** Cuts the connection; the server may work on. */
  signal?: AbortSignal;
}

export interface StatementResponse {
  body: Readable;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ClickhouseConnection {
  /** @throws ClickHouseError for a fault of the server; any other error where it did not answer */
  send(statement: Statement): Promise<StatementResponse>;
  close(): Promise<void>;
}

/** Sorting may take minutes before the first byte; time limits are the server's, and a dead peer is found by the system. */
const silenceMs = 24 * 3600 * 1000;
/** Statements that stop others do not wait for them. */
const controlConnections = 4;

/** Whatever the profile of the user says: a fault that is written as a row would reach readers, with the values it quotes. */
const faultsBesideRows = { http_write_exception_in_output_format: 0 };

/** A pool of connections to the HTTP interface of one server. It logs nothing, as statements hold what people sent. */
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
      // `default_format` and `wait_end_of_query` go the way of settings: as parameters of the address.
      const named = {
        ...commonStatementSettings,
        ...faultsBesideRows,
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
