import { Type, type Static } from 'typebox';
import { idParams, Name, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

/** The maximum characters of the text of a saved query. */
const maxSavedQueryLength = 100_000;

const QueryText = Type.String({ maxLength: maxSavedQueryLength, description: 'The SQL.' });
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_646 });

export const SavedQuery = strictObject(
  {
    id: Uuid,
    name: Name,
    text: QueryText,
    version: Type.Integer({ description: 'Grows by one with each change.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'SavedQuery', description: 'SQL that a person keeps under a name. Only they see it.' },
);
export type SavedQuery = Static<typeof SavedQuery>;

export const SavedQueryCreate = strictObject(
  { name: Name, text: QueryText },
  {
    title: 'SavedQueryCreate',
    examples: [{ name: 'Beacons by type', text: 'SELECT type, count(*) FROM navaids GROUP BY type' }],
  },
);
export type SavedQueryCreate = Static<typeof SavedQueryCreate>;

export const SavedQueryPatch = strictObject(
  {
    version: { ...Version, description: 'The version that you changed.' },
    name: Type.Optional(Name),
    text: Type.Optional(QueryText),
  },
  { title: 'SavedQueryPatch', examples: [{ version: 1, name: 'Beacons of each type' }] },
);
export type SavedQueryPatch = Static<typeof SavedQueryPatch>;

const tag = 'Saved queries';
const params = idParams('The id of the saved query.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;
const success = (description: string) => ({ status: 200, description, schema: SavedQuery }) as const;

export const savedQueryRoutes = {
  listSavedQueries: defineRoute({
    method: 'GET',
    path: '/saved-queries',
    operationId: 'listSavedQueries',
    tag,
    summary: 'List your saved queries',
    description: 'Returns a page of the queries that you saved in this workspace.',
    caller: 'member',
    bearer: true,
    list: { entity: SavedQuery, filters: ['id', 'name', 'version', 'createdAt', 'updatedAt'] },
    success: { status: 200, description: 'A page of saved queries.', schema: toPageSchema(SavedQuery) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createSavedQuery: defineRoute({
    method: 'POST',
    path: '/saved-queries',
    operationId: 'createSavedQuery',
    tag,
    summary: 'Save a query',
    description: 'Saves SQL under a name. The text need not be valid. You can save 1,000 queries.',
    caller: 'member',
    bearer: true,
    body: SavedQueryCreate,
    success: { status: 201, description: 'The saved query.', schema: SavedQuery },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  getSavedQuery: defineRoute({
    method: 'GET',
    path: '/saved-queries/{id}',
    operationId: 'getSavedQuery',
    tag,
    summary: 'Get a saved query',
    description: 'Returns one query that you saved.',
    caller: 'member',
    bearer: true,
    params,
    success: success('The saved query.'),
    errors,
  }),
  patchSavedQuery: defineRoute({
    method: 'PATCH',
    path: '/saved-queries/{id}',
    operationId: 'patchSavedQuery',
    tag,
    summary: 'Change a saved query',
    description:
      'Changes name or text of the version that you name. If the query has changed since, for example in another window, you get 409 and nothing changes: get it again.',
    caller: 'member',
    bearer: true,
    params,
    body: SavedQueryPatch,
    success: success('The query with its new version.'),
    errors,
  }),
  deleteSavedQuery: defineRoute({
    method: 'DELETE',
    path: '/saved-queries/{id}',
    operationId: 'deleteSavedQuery',
    tag,
    summary: 'Delete a saved query',
    description: 'Deletes a query that you saved.',
    caller: 'member',
    bearer: true,
    params,
    success: success('The query that was deleted.'),
    errors,
  }),
} as const;
