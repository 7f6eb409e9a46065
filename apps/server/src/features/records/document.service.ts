import type { BodyOf, routes } from '@redoubt/contract';
import { describeValue, invalidField } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReadService } from './read.service.ts';
import type { ResponseOptions, RecordsResponse } from './records-response.ts';
import type { SqlService } from './sql.service.ts';

type DocumentSqlQuery = BodyOf<typeof routes.queryDocuments>;
type DocumentLuceneQuery = BodyOf<typeof routes.queryDocumentsLucene>;

export interface DocumentService {
  /** Streams the records of documents that a SQL statement returns. */
  sql(actor: Member, query: DocumentSqlQuery, signal: AbortSignal): Promise<RecordsResponse>;
  /** Streams the records of documents that match a search. */
  search(actor: Member, query: DocumentLuceneQuery, signal: AbortSignal): Promise<RecordsResponse>;
}

const responseOptions = (signal: AbortSignal): ResponseOptions => ({
  format: 'json',
  signal,
  documents: true,
});

export const createDocumentService = ({
  read,
  sql,
}: {
  read: Pick<ReadService, 'search'>;
  sql: Pick<SqlService, 'query'>;
}): DocumentService => {
  /** Streams the records with these ids, if they belong to documents and are visible to the actor. */
  const queryByIds = async (
    actor: Member,
    { recordIds, ...query }: DocumentSqlQuery & { recordIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<RecordsResponse> => {
    const { datasetId, limit } = query;
    if (datasetId === undefined || datasetId === null) {
      throw invalidField({
        field: 'datasetId',
        expected: 'present with recordIds',
        got: describeValue(datasetId),
        advice: 'Send the id of the dataset that contains the records.',
      });
    }
    const idList = recordIds.map((id) => `'${id.replaceAll("'", "''")}'`).join(', ');
    const expression = `SELECT * FROM "${datasetId.replaceAll('"', '""')}" WHERE _koverse_record_id IN (${idList})`;
    const all = limit === undefined || limit === 0 ? recordIds.length : limit;
    return sql.query(actor, { ...query, expression, limit: all }, responseOptions(signal));
  };

  return {
    sql: async (actor, { recordIds, expression, ...query }, signal) => {
      if (hasIds(recordIds)) return queryByIds(actor, { ...query, recordIds }, signal);
      return sql.query(
        actor,
        { ...query, expression: requireExpression(expression) },
        responseOptions(signal),
      );
    },
    search: async (actor, { recordIds, expression, ...query }, signal) => {
      if (hasIds(recordIds)) return queryByIds(actor, { ...query, recordIds }, signal);
      return read.search(
        actor,
        { ...query, expression: requireExpression(expression) },
        responseOptions(signal),
      );
    },
  };
};

const hasIds = (recordIds: readonly string[] | null | undefined): recordIds is readonly string[] =>
  recordIds !== undefined && recordIds !== null && recordIds.length > 0;

function requireExpression(expression: string | undefined): string {
  if (expression === undefined)
    throw invalidField({
      field: 'expression',
      expected: 'present without recordIds',
      got: describeValue(expression),
      advice: 'Send an expression or recordIds.',
    });
  return expression;
}
