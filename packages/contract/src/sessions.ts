import { Type } from 'typebox';
import { idParams, nullable, strictObject, Timestamp } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const Session = strictObject(
  {
    id: Type.String({ description: 'The `jti` of its token.' }),
    workspaceId: nullable(
      Type.String({ description: 'The id of the workspace that the session is bound to.' }),
    ),
    credential: Type.Union([Type.Literal('session'), Type.Literal('key'), Type.Literal('application')], {
      description:
        'How the session was opened: session if you signed in, key if an API key was exchanged for a token, application if you allowed an application to act for you.',
    }),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  { title: 'Session', description: 'A valid token of the person.' },
);
export type Session = Type.Static<typeof Session>;

const tag = 'Authentication';

/** Existing sessions of a person. `authenticationRoutes` opens new ones. */
export const sessionRoutes = {
  listSessions: defineRoute({
    method: 'GET',
    path: '/sessions',
    operationId: 'listSessions',
    tag,
    summary: 'List your sessions',
    description: 'Returns your valid sessions in all workspaces.',
    caller: 'person',
    bearer: true,
    list: {
      entity: Session,
      filters: ['id', 'workspaceId', 'credential', 'current', 'createdAt', 'expiresAt'],
    },
    success: { status: 200, description: 'A page of sessions.', schema: toPageSchema(Session) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  deleteSession: defineRoute({
    method: 'DELETE',
    path: '/sessions/{id}',
    operationId: 'deleteSession',
    staysOpen: true,
    tag,
    summary: 'End one of your sessions',
    description: 'Its token stops working with the next request. A session of another person returns 404.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the session.'),
    success: { status: 200, description: 'The session that ended.', schema: Session },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  updateSession: defineRoute({
    method: 'PATCH',
    path: '/sessions/{id}',
    operationId: 'updateSession',
    staysOpen: true,
    tag,
    summary: 'Move your session to another workspace',
    description:
      'Moves the session of this request to another of your workspaces, from the next request on. Any other session is 404, and so is a workspace that you do not belong to. For a second session beside this one, use POST /authentication with the strategy jwt.',
    caller: 'person',
    bearer: true,
    accountWide: true,
    params: idParams('The id of the session.'),
    body: strictObject(
      { workspaceId: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the workspace.' }) },
      { title: 'SessionUpdate' },
    ),
    success: { status: 200, description: 'The session as it is now.', schema: Session },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
