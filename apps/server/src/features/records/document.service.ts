import type { BodyOf, routes } from '@redoubt/contract';
import { badField } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReadService } from './read.service.ts';
import type { ResponseOptions, RecordsResponse } from './records-response.ts';
import type { SqlService } from './sql.service.ts';

type DocumentSqlQuery = BodyOf<typeof routes.queryDocuments>;
type DocumentLuceneQuery = BodyOf<typeof routes.queryDocumentsLucene>;

export interface DocumentService {
  /** Streams the records of documents that a statement gives. */
  sql(actor: Member, query: DocumentSqlQuery, signal: AbortSignal): Promise<RecordsResponse>;
  /** Streams the records of documents that match a search. */
  search(actor: Member, query: DocumentLuceneQuery, signal: AbortSignal): Promise<RecordsResponse>;
}

const wish = (signal: AbortSignal): ResponseOptions => ({ format: 'json', signal, documents: true });

export const createDocumentService = ({
  read,
  sql,
}: {
  read: Pick<ReadService, 'search'>;
  sql: Pick<SqlService, 'query'>;
}): DocumentService => {
  /** The records of these ids, out of those of documents that the actor sees. */
  const named = async (
    actor: Member,
    { recordIds, ...query }: DocumentSqlQuery & { recordIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<RecordsResponse> => {
    const { datasetId, limit } = query;
    if (datasetId === undefined || datasetId === null) {
      throw badField('datasetId', 'it is absent; send the dataset that recordIds are of.');
    }
    const listed = recordIds.map((id) => `'${id.replaceAll("'", "''")}'`).join(', ');
    const expression = `SELECT * FROM "${datasetId.replaceAll('"', '""')}" WHERE _koverse_record_id IN (${listed})`;
    const all = limit === undefined || limit === 0 ? recordIds.length : limit;
    return sql.query(actor, { ...query, expression, limit: all }, wish(signal));
  };

  return {
    sql: async (actor, { recordIds, expression, ...query }, signal) => {
      if (asked(recordIds)) return named(actor, { ...query, recordIds }, signal);
      return sql.query(actor, { ...query, expression: given(expression) }, wish(signal));
    },
    search: async (actor, { recordIds, expression, ...query }, signal) => {
      if (asked(recordIds)) return named(actor, { ...query, recordIds }, signal);
      return read.search(actor, { ...query, expression: given(expression) }, wish(signal));
    },
  };
};

const asked = (recordIds: readonly string[] | null | undefined): recordIds is readonly string[] =>
  recordIds !== undefined && recordIds !== null && recordIds.length > 0;

function given(expression: string | undefined): string {
  if (expression === undefined)
    throw badField('expression', 'it is absent; send an expression, or recordIds.');
  return expression;
}
