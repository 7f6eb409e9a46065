import { Type } from 'typebox';
import { idParams, strictObject, Timestamp } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const ApplicationGrant = strictObject(
  {
    id: Type.String(),
    applicationId: Type.String(),
    name: Type.String({ description: 'The name of the application.' }),
    url: Type.String({ description: 'The URL of the application.' }),
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
      'A permission by which an application acts for a person. It ends at `expiresAt`; the application extends it when it refreshes its token.',
  },
);
export type ApplicationGrant = Type.Static<typeof ApplicationGrant>;

const tag = 'Applications';

/** What a person has allowed OAuth clients to do. The clients themselves are in `applicationRoutes`. */
export const applicationGrantRoutes = {
  listApplicationGrants: defineRoute({
    method: 'GET',
    path: '/application-grants',
    operationId: 'listApplicationGrants',
    tag,
    summary: 'List your permissions for applications',
    description:
      'Returns your permissions that are still valid, in all workspaces. If you allowed an application twice, it appears twice.',
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
    summary: 'Withdraw a permission for an application',
    description:
      'Its tokens stop working with the next request, and its jobs stop. A permission of another person returns 404.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the permission.'),
    success: { status: 200, description: 'The withdrawn permission.', schema: ApplicationGrant },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
