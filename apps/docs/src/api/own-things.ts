import type { Connection } from './connection.ts';
import { sendCall } from './send-call.ts';
import type { ApiOperation, ApiParameter } from './types.ts';

/** Values from the reader's workspace that replace those of the recordings, so that a first try returns something. */
export interface OwnThings {
  readonly workspaceId?: string;
  readonly dataset?: { readonly id: string; readonly name: string };
}

type Browser = Parameters<typeof sendCall>[2];

const askFor = async (connection: Connection, path: string, browser: Browser): Promise<unknown> => {
  const { origin } = connection.state();
  const address = `${origin}${path}`;
  const outcome = await sendCall(connection, { method: 'GET', address, accept: 'application/json' }, browser);
  if (outcome.kind !== 'answer' || outcome.status !== 200) return undefined;
  try {
    return JSON.parse(outcome.text) as unknown;
  } catch {
    return undefined;
  }
};

/** The dataset of the demo if it is visible to the reader, otherwise any visible dataset. */
export const lookUpOwnThings = async (connection: Connection, browser: Browser): Promise<OwnThings> => {
  const me = (await askFor(connection, '/me', browser)) as { workspaceId?: string | null } | undefined;
  const list = (await askFor(connection, '/datasets?$limit=100', browser)) as
    | { data?: readonly { id: string; name: string }[] }
    | undefined;
  const datasets = list?.data ?? [];
  const dataset = datasets.find(({ name }) => name === 'navaids') ?? datasets[0];
  return {
    ...(typeof me?.workspaceId === 'string' && { workspaceId: me.workspaceId }),
    ...(dataset && { dataset: { id: dataset.id, name: dataset.name } }),
  };
};

const readsSql = new Set(['query', 'queryDocuments', 'summarizeSql']);
const readsLucene = new Set(['queryLucene', 'queryDocumentsLucene']);

const expressionOf = ({ id }: ApiOperation, { dataset }: OwnThings): string | undefined => {
  if (dataset === undefined) return undefined;
  const isDemo = dataset.name === 'navaids';
  if (readsSql.has(id)) {
    if (id === 'query' && isDemo) return 'SELECT ident, name, iso_country FROM navaids ORDER BY name';
    return id === 'query' ? `SELECT * FROM "${dataset.id}"` : undefined;
  }
  if (!readsLucene.has(id)) return undefined;
  return isDemo ? 'name:london' : '*:*';
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The recorded body with values from the reader's workspace. A dataset is filled in only for calls that read: a call
 * that changes data never targets a dataset that the reader has not named.
 */
export const fittedBody = (operation: ApiOperation, example: unknown, own: OwnThings): unknown => {
  if (!isRecord(example)) return example;
  const { dataset, workspaceId } = own;
  const expression = expressionOf(operation, own);
  return {
    ...example,
    ...(workspaceId !== undefined && 'workspaceId' in example && { workspaceId }),
    ...(dataset !== undefined && !operation.changes && 'datasetId' in example && { datasetId: dataset.id }),
    ...(expression !== undefined && { expression }),
  };
};

/** The initial value of a field. */
export const fittedValue = (operation: ApiOperation, { name }: ApiParameter, own: OwnThings): string =>
  name === 'datasetId' && !operation.changes ? (own.dataset?.id ?? '') : '';

/** Whether the call needs any value from the reader's workspace. Otherwise nothing is looked up. */
export const takesOwnThings = ({ parameters, recording }: ApiOperation): boolean => {
  const body = recording?.success.body;
  const inBody = isRecord(body) && ['datasetId', 'expression', 'workspaceId'].some((name) => name in body);
  return inBody || parameters.some(({ name }) => name === 'datasetId');
};
