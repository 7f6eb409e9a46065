import { Type } from 'typebox';
import { idParams, strictObject, Timestamp } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const ApplicationGrant = strictObject(
  {
    id: Type.String(),
    applicationId: Type.String(),
    name: Type.String({ description: 'Of the application.' }),
    url: Type.String({ description: 'Of the application.' }),
    type: Type.Union([Type.Literal('mls'), Type.Literal('sls')], {
      description: 'Whether the application acts with the attributes of the person (mls) or with none (sls).',
    }),
    workspaceId: Type.String({ description: 'The workspace of the application.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  {
    title: 'ApplicationGrant',
    description:
      'That a person lets an application act for them. It goes on until `expiresAt`, which moves on when the application refreshes its token.',
  },
);
export type ApplicationGrant = Type.Static<typeof ApplicationGrant>;

const tag = 'Applications';

export const applicationGrantRoutes = {
  listApplicationGrants: defineRoute({
    method: 'GET',
    path: '/application-grants',
    operationId: 'listApplicationGrants',
    tag,
    summary: 'List what one has allowed to applications',
    description:
      'What still holds, in whatever workspace. Somebody who allowed an application twice finds it twice.',
    caller: 'person',
    bearer: true,
    list: {
      entity: ApplicationGrant,
      filters: ['id', 'applicationId', 'name', 'url', 'type', 'workspaceId', 'createdAt', 'expiresAt'],
    },
    success: { status: 200, description: 'A page of permissions.', schema: toPageSchema(ApplicationGrant) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  deleteApplicationGrant: defineRoute({
    method: 'DELETE',
    path: '/application-grants/{id}',
    operationId: 'deleteApplicationGrant',
    staysOpen: true,
    tag,
    summary: 'Take back what one has allowed to an application',
    description:
      'All tokens that came of it are refused from the next request on, and its jobs do no more. What another person allowed is 404.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the permission.'),
    success: { status: 200, description: 'The permission as it was.', schema: ApplicationGrant },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
