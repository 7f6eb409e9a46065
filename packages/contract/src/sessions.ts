import { Type } from 'typebox';
import { idParams, nullable, strictObject, Timestamp } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const Session = strictObject(
  {
    id: Type.String({ description: 'The `jti` of its token.' }),
    workspaceId: nullable(Type.String({ description: 'The workspace that it is bound to.' })),
    credential: Type.Union([Type.Literal('session'), Type.Literal('key'), Type.Literal('application')], {
      description:
        'By what it came to be: the person signed in, an API key of theirs was exchanged for a token, or they let an application act for them.',
    }),
    current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  { title: 'Session', description: 'A token of the person that is valid.' },
);
export type Session = Type.Static<typeof Session>;

const tag = 'Authentication';

export const sessionRoutes = {
  listSessions: defineRoute({
    method: 'GET',
    path: '/sessions',
    operationId: 'listSessions',
    tag,
    summary: 'List one’s own sessions',
    description: 'Those that are valid, in whatever workspace.',
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
    summary: 'End one of one’s own sessions',
    description: 'Its token is refused from the next request on. Another person’s session is 404.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the session.'),
    success: { status: 200, description: 'The session as it was.', schema: Session },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
