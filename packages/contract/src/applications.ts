import { Type, type Static } from 'typebox';
import { Description, IdParam, idParams, Name, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { DatasetAction } from './dataset-permissions.ts';

export const ApplicationType = Type.Enum(['mls', 'sls'], {
  description:
    'mls acts with the attributes of the person, sls with none: it sees records without a label alone.',
});
export type ApplicationType = Static<typeof ApplicationType>;

export const RequiredDatasetAccess = strictObject(
  { action: DatasetAction, datasetId: IdParam },
  {
    title: 'RequiredDatasetAccess',
    description: 'What a person must be able to do with a dataset, and the most that the application can.',
  },
);
export type RequiredDatasetAccess = Static<typeof RequiredDatasetAccess>;

const Url = Type.String({
  maxLength: 2000,
  pattern: '^https?://[!-~]+$',
  description: 'An address that begins with https:// or http://.',
});
const RedirectUrl = Type.String({
  maxLength: 2000,
  pattern: '^https?://[!-~]+$',
  description:
    'Where people are sent back to: https, or http on this very machine (localhost, 127.0.0.1, [::1]); without #. It is compared exactly.',
});
const AllowedUsers = Type.Array(IdParam, {
  maxItems: 1000,
  description: 'The ids of those who may use it. Nobody else may: an empty list is nobody.',
});
const RequiredAccessList = Type.Array(RequiredDatasetAccess, {
  maxItems: 100,
  description:
    'The datasets that the application can reach, for people who may do that with all of them. An empty list is all that the person can reach.',
});

export const Application = strictObject(
  {
    id: Uuid,
    name: Name,
    url: Type.String(),
    redirectUrl: Type.String(),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    clientId: Type.String({ description: 'Made by the server; it names the application in OAuth.' }),
    clientSecret: Type.Optional(
      Type.String({ description: 'Only in the answer that makes it: it is kept as a hash.' }),
    ),
    visible: Type.Boolean({ description: 'Whether those who may use it see it in lists.' }),
    description: Description,
    type: ApplicationType,
    allowedUsers: Type.Array(Type.String(), {
      description: 'All of them for those who manage applications; for others, their own id alone.',
    }),
    requiredDatasetAccess: Type.Array(RequiredDatasetAccess),
  },
  { title: 'Application', description: 'A program that acts for people who let it.' },
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
    resetSecret: Type.Boolean({ description: 'true makes a new clientSecret, which the answer shows.' }),
  }),
  { title: 'ApplicationPatch', additionalProperties: false },
);
export type ApplicationPatch = Static<typeof ApplicationPatch>;

const tag = 'Applications';
const params = idParams('The id of the application.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const applicationRoutes = {
  listApplications: defineRoute({
    method: 'GET',
    path: '/applications',
    operationId: 'listApplications',
    tag,
    summary: 'List applications',
    description: 'A page of the applications that the caller may see, without their secrets.',
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
      'Answers its clientSecret, once. Without a type it is sls, without visible it is not listed, without allowedUsers nobody may use it.',
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
    description: 'One application by its id, without its secret.',
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
      'Another redirectUrl, type or requiredDatasetAccess, and a new secret, end all that people gave to the application before: it has to ask them anew.',
    caller: 'member',
    bearer: true,
    params,
    body: ApplicationPatch,
    success: {
      status: 200,
      description: 'The changed application; with resetSecret, its new secret too.',
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
    description: 'Its tokens end at once.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The removed application.', schema: Application },
    errors,
  }),
} as const;
