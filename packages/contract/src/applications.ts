import { Type, type Static } from 'typebox';
import { Description, IdParam, idParams, Name, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { DatasetAction } from './dataset-permissions.ts';

export const ApplicationType = Type.Enum(['mls', 'sls'], {
  description:
    'mls acts with the attributes of the person. sls acts with none, so it only sees records without a label.',
});
export type ApplicationType = Static<typeof ApplicationType>;

export const RequiredDatasetAccess = strictObject(
  { action: DatasetAction, datasetId: IdParam },
  {
    title: 'RequiredDatasetAccess',
    description:
      'A right on a dataset that a person needs to use the application, and the most that the application can do with it.',
  },
);
export type RequiredDatasetAccess = Static<typeof RequiredDatasetAccess>;

const Url = Type.String({
  maxLength: 2000,
  pattern: '^https?://[!-~]+$',
  description: 'A URL that begins with https:// or http://.',
});
const RedirectUrl = Type.String({
  maxLength: 2000,
  pattern: '^https?://[!-~]+$',
  description:
    'Where people return to after sign-in: a URL with https, or with http on localhost, 127.0.0.1 or [::1], without #. It is compared exactly.',
});
const AllowedUsers = Type.Array(IdParam, {
  maxItems: 1000,
  description: 'The ids of the people who may use the application. With an empty array, nobody may.',
});
const RequiredAccessList = Type.Array(RequiredDatasetAccess, {
  maxItems: 100,
  description:
    'The datasets that the application can reach. Only people with these rights on all of them can use it. With an empty array, it reaches all datasets of the person.',
});

export const Application = strictObject(
  {
    id: Uuid,
    name: Name,
    url: Type.String(),
    redirectUrl: Type.String(),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    clientId: Type.String({ description: 'The id of the application in OAuth, which the server creates.' }),
    clientSecret: Type.Optional(
      Type.String({ description: 'You only see it when it is created: the server stores a hash.' }),
    ),
    visible: Type.Boolean({ description: 'Whether people who may use the application see it in lists.' }),
    description: Description,
    type: ApplicationType,
    allowedUsers: Type.Array(Type.String(), {
      description: 'All ids if you manage applications, otherwise only your own.',
    }),
    requiredDatasetAccess: Type.Array(RequiredDatasetAccess),
  },
  { title: 'Application', description: 'A program that acts for people who allow it.' },
);
export type Application = Static<typeof Application>;

export const ApplicationCreate = strictObject(
  {
    name: Name,
    url: Url,
    redirectUrl: RedirectUrl,
    workspaceId: OwnWorkspaceId,
    visible: Type.Optional(Type.Boolean({ default: false })),
    description: Type.Optional(Description),
    type: Type.Optional(ApplicationType),
    allowedUsers: Type.Optional(AllowedUsers),
    requiredDatasetAccess: Type.Optional(RequiredAccessList),
  },
  { title: 'ApplicationCreate' },
);
export type ApplicationCreate = Static<typeof ApplicationCreate>;

export const ApplicationPatch = Type.Partial(
  strictObject({
    id: IdParam,
    name: Name,
    url: Url,
    redirectUrl: RedirectUrl,
    workspaceId: IdParam,
    clientId: Type.String({ maxLength: 200 }),
    visible: Type.Boolean(),
    description: Description,
    type: ApplicationType,
    allowedUsers: AllowedUsers,
    requiredDatasetAccess: RequiredAccessList,
    resetSecret: Type.Boolean({
      description: 'true creates a new clientSecret, which the response contains.',
    }),
  }),
  { title: 'ApplicationPatch', additionalProperties: false },
);
export type ApplicationPatch = Static<typeof ApplicationPatch>;

const tag = 'Applications';
const params = idParams('The id of the application.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

/** The OAuth clients of a workspace. Clients themselves use `oauthRoutes`. */
export const applicationRoutes = {
  listApplications: defineRoute({
    method: 'GET',
    path: '/applications',
    operationId: 'listApplications',
    tag,
    summary: 'List applications',
    description: 'Returns a page of the applications that are visible to you, without their secrets.',
    caller: 'member',
    bearer: true,
    list: {
      entity: Application,
      filters: [
        'id',
        'name',
        'url',
        'redirectUrl',
        'workspaceId',
        'clientId',
        'visible',
        'description',
        'type',
      ],
    },
    success: { status: 200, description: 'A page of applications.', schema: toPageSchema(Application) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createApplication: defineRoute({
    method: 'POST',
    path: '/applications',
    operationId: 'createApplication',
    tag,
    summary: 'Create an application',
    description:
      'The response contains the clientSecret; you cannot get it again. By default the type is sls, the application is not visible, and nobody may use it.',
    caller: 'member',
    bearer: true,
    body: ApplicationCreate,
    success: { status: 201, description: 'The new application with its secret.', schema: Application },
    errors,
  }),
  getApplication: defineRoute({
    method: 'GET',
    path: '/applications/{id}',
    operationId: 'getApplication',
    tag,
    summary: 'Get an application',
    description: 'Returns one application, without its secret.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The application.', schema: Application },
    errors,
  }),
  patchApplication: defineRoute({
    method: 'PATCH',
    path: '/applications/{id}',
    operationId: 'patchApplication',
    tag,
    summary: 'Change an application',
    description:
      'If you change redirectUrl, type or requiredDatasetAccess, or create a new secret, all permissions of people for the application end, and it has to ask them again.',
    caller: 'member',
    bearer: true,
    params,
    body: ApplicationPatch,
    success: {
      status: 200,
      description: 'The changed application, with its new secret after resetSecret.',
      schema: Application,
    },
    errors,
  }),
  deleteApplication: defineRoute({
    method: 'DELETE',
    path: '/applications/{id}',
    operationId: 'deleteApplication',
    tag,
    summary: 'Delete an application',
    description: 'Its tokens stop working at once.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The deleted application.', schema: Application },
    errors,
  }),
} as const;
