import { Type, type Static } from 'typebox';
import { idSchema, idParams, nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const TransferStatus = Type.Union(
  [Type.Literal('pending'), Type.Literal('accepted'), Type.Literal('declined'), Type.Literal('revoked')],
  { title: 'TransferStatus' },
);
export type TransferStatus = Static<typeof TransferStatus>;

const ResourceType = Type.Literal('dataset', { description: 'Ownership of datasets can be handed over.' });

export const TransferResourceRequest = strictObject(
  {
    id: Uuid,
    resourceId: Type.String({ description: 'The id of what is to change hands.' }),
    resourceType: ResourceType,
    recipientUserId: Type.String({ description: 'Who is to have it.' }),
    status: TransferStatus,
    userId: Type.String({ description: 'Who asks.' }),
    createdAt: Timestamp,
    endedAt: nullable(Timestamp),
  },
  { title: 'TransferResourceRequest', description: 'A request that another person takes something over.' },
);
export type TransferResourceRequest = Static<typeof TransferResourceRequest>;

export const TransferResourceRequestCreate = strictObject(
  {
    resourceId: idSchema('The id of the dataset.'),
    resourceType: ResourceType,
    recipientUserId: idSchema('The id of a person of the workspace.'),
    status: Type.Optional(Type.Literal('pending', { description: 'A new request is pending.' })),
    userId: Type.Optional(
      Type.String({ maxLength: 200, description: 'Another user’s id is refused with 403.' }),
    ),
  },
  { title: 'TransferResourceRequestCreate' },
);
export type TransferResourceRequestCreate = Static<typeof TransferResourceRequestCreate>;

const repeated = Type.Optional(
  Type.String({ maxLength: 200, description: 'May only repeat the current one.' }),
);

export const TransferResourceRequestPatch = strictObject(
  {
    status: TransferStatus,
    id: repeated,
    resourceId: repeated,
    resourceType: repeated,
    recipientUserId: repeated,
    userId: repeated,
  },
  { title: 'TransferResourceRequestPatch' },
);
export type TransferResourceRequestPatch = Static<typeof TransferResourceRequestPatch>;

const tag = 'Transfer requests';
const params = idParams('The id of the request.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const transferRequestRoutes = {
  listTransferResourceRequests: defineRoute({
    method: 'GET',
    path: '/transfer-resource-requests',
    operationId: 'listTransferResourceRequests',
    tag,
    summary: 'List transfer requests',
    description: 'A page of requests of the workspace.',
    caller: 'member',
    bearer: true,
    list: {
      entity: TransferResourceRequest,
      filters: [
        'id',
        'resourceId',
        'resourceType',
        'recipientUserId',
        'status',
        'userId',
        'createdAt',
        'endedAt',
      ],
    },
    success: {
      status: 200,
      description: 'A page of requests.',
      schema: toPageSchema(TransferResourceRequest),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createTransferResourceRequest: defineRoute({
    method: 'POST',
    path: '/transfer-resource-requests',
    operationId: 'createTransferResourceRequest',
    tag,
    summary: 'Ask somebody to take something over',
    description:
      'Nothing moves before the recipient accepts. A second request while one is pending is 409. Nobody asks for themselves.',
    caller: 'member',
    bearer: true,
    body: TransferResourceRequestCreate,
    success: { status: 201, description: 'The pending request.', schema: TransferResourceRequest },
    errors,
  }),
  getTransferResourceRequest: defineRoute({
    method: 'GET',
    path: '/transfer-resource-requests/{id}',
    operationId: 'getTransferResourceRequest',
    tag,
    summary: 'Get a transfer request',
    description: 'One request by its id.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The request.', schema: TransferResourceRequest },
    errors,
  }),
  patchTransferResourceRequest: defineRoute({
    method: 'PATCH',
    path: '/transfer-resource-requests/{id}',
    operationId: 'patchTransferResourceRequest',
    tag,
    summary: 'Accept, decline or revoke a transfer request',
    description:
      'The recipient accepts or declines; who asked revokes, or the owner, or who manages datasets. Accepting moves the ownership with all rights that come with it, if who asked may still give it away (409 otherwise). A request that has ended stays as it is (409).',
    caller: 'member',
    bearer: true,
    params,
    body: TransferResourceRequestPatch,
    success: { status: 200, description: 'The request after the change.', schema: TransferResourceRequest },
    errors,
  }),
} as const;
