import {
  exportSeconds,
  LuceneQuery as LuceneQueryBody,
  RowsExport,
  SqlQuery as SqlQueryBody,
  type Export,
  type ExportCreate,
  type ExportFormat,
} from '@redoubt/contract';
import { describeValue, invalidField, notFound } from '@redoubt/errors';
import { decodeClientExpression, parseSql } from '@redoubt/query';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Member } from '../../platform/auth/actor.ts';
import { createValidator } from '../../platform/http/validation.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { ExportRepository } from './export.repository.ts';
import { guardFormulas } from './guard-formulas.ts';
import { parseSearch, type ReadService, type LuceneQuery } from './read.service.ts';
import type { RecordsResponse, ResponseOptions } from './records-response.ts';
import type { ResponseBody } from './response-body.ts';
import type { ResponseFormat } from './response-format.ts';
import type { RowsService } from './rows.service.ts';
import type { SqlQuery, SqlService } from './sql.service.ts';

interface Download {
  format: ExportFormat;
  fileName: string;
  body: ResponseBody;
}

export interface ExportService {
  /** Checks a query and returns the address of a file with its rows: for one download by the actor's session. */
  create(actor: Member, wanted: ExportCreate): Promise<Export>;
  /**
   * Runs the query of an address. An error after the first bytes breaks the connection.
   * @throws RedoubtError 404 for an address that was used, has expired or belongs to another session
   */
  download(actor: Member, token: string, signal: AbortSignal): Promise<Download>;
}

const validators = {
  query: createValidator(SqlQueryBody, 'body'),
  queryLucene: createValidator(LuceneQueryBody, 'body'),
  readRows: createValidator(RowsExport, 'body'),
};

const responseFormats: Record<ExportFormat, Exclude<ResponseFormat, 'json'>> = {
  csv: 'csv',
  spreadsheet: 'csv',
  lines: 'lines',
  parquet: 'parquet',
  arrow: 'arrow',
};

const endings: Record<ExportFormat, readonly [ending: string, mediaType: string]> = {
  csv: ['csv', 'text/csv; charset=utf-8; header=present'],
  spreadsheet: ['csv', 'text/csv; charset=utf-8; header=present'],
  lines: ['jsonl', 'application/x-ndjson; charset=utf-8'],
  parquet: ['parquet', 'application/vnd.apache.parquet'],
  arrow: ['arrow', 'application/vnd.apache.arrow.stream'],
};

/** The headers of a file that a browser stores and never shows or runs. */
export const attachmentHeaders = (format: ExportFormat, fileName: string): Record<string, string> => {
  const [ending, mediaType] = endings[format];
  const name = `${fileName}.${ending}`;
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, escape);
  return {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${exact}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
};

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const tokenBytes = 32;
/** Bytes of the text of a request, which stays in the database until the file is fetched. */
const maxRequestBytes = 300_000;

/** @throws RedoubtError 400 for a request that is too long to be stored */
const serializeRequest = (wanted: ExportCreate): string => {
  const request = JSON.stringify(wanted);
  const bytes = Buffer.byteLength(request);
  if (bytes > maxRequestBytes)
    throw invalidField({
      field: 'body',
      expected: `at most ${String(maxRequestBytes)} bytes of JSON with the rest of the request`,
      got: describeValue(bytes),
      advice: 'Send a shorter query, or call it directly with the header Accept.',
    });
  return request;
};

export const createExportService = ({
  exports,
  access,
  sql,
  read,
  rows,
  runtime: { clock, random },
}: {
  exports: ExportRepository;
  access: Pick<DatasetAccess, 'requireCall'>;
  sql: Pick<SqlService, 'query'>;
  read: Pick<ReadService, 'search'>;
  rows: Pick<RowsService, 'readAll'>;
  runtime: Pick<Runtime, 'clock' | 'random'>;
}): ExportService => {
  const check = async (actor: Member, { operation, body }: ExportCreate): Promise<void> => {
    validators[operation](body);
    if (operation === 'query') {
      await parseSql(decodeClientExpression((body as unknown as SqlQuery).expression));
      return;
    }
    if (operation === 'readRows') {
      const { datasetId, lucene } = body as unknown as RowsExport;
      const { dataset } = await access.requireCall(actor, datasetId, operation);
      if (lucene !== undefined) parseSearch(lucene, dataset.search_any_field);
      return;
    }
    const { datasetId, expression } = body as unknown as LuceneQuery;
    const { dataset } = await access.requireCall(actor, datasetId, operation);
    parseSearch(expression, dataset.search_any_field);
  };

  const run = (
    actor: Member,
    operation: ExportCreate['operation'],
    body: unknown,
    options: ResponseOptions,
  ): Promise<RecordsResponse> => {
    switch (operation) {
      case 'query':
        return sql.query(actor, body as SqlQuery, options);
      case 'queryLucene':
        return read.search(actor, body as LuceneQuery, options);
      case 'readRows':
        return rows.readAll(actor, body as RowsExport, options);
    }
  };

  return {
    create: async (actor, wanted) => {
      const request = serializeRequest(wanted);
      await check(actor, wanted);
      const token = random.bytes(tokenBytes).toString('base64url');
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + exportSeconds * 1000);
      await exports.add(actor, { tokenHash: hashOf(token), request, expiresAt }, now);
      return { path: `/exports/${token}`, expiresAt: expiresAt.toISOString() };
    },

    download: async (actor, token, signal) => {
      const request = await exports.take(actor, hashOf(token), clock.now());
      if (request === undefined) throw notFound('export', token);
      const { operation, body, format, fileName } = JSON.parse(request) as ExportCreate;
      const options = { format: responseFormats[format], signal };
      const response = await run(actor, operation, body, options);
      return {
        format,
        fileName: fileName ?? 'export',
        body: format === 'spreadsheet' ? guarded(response.body) : response.body,
      };
    },
  };
};

/** The same CSV, guarded against formulas. If the source fails, so does the result. */
const guarded = (body: ResponseBody): ResponseBody => {
  const guard = guardFormulas();
  if (Buffer.isBuffer(body)) return guard(body);
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of body) yield guard(chunk as Buffer);
  };
  return Readable.from(chunks(), { objectMode: false });
};
