import { Type, type Static } from 'typebox';
import { idSchema, idParams, nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const TransferStatus = Type.Union(
  [Type.Literal('pending'), Type.Literal('accepted'), Type.Literal('declined'), Type.Literal('revoked')],
  { title: 'TransferStatus' },
);
export type TransferStatus = Static<typeof TransferStatus>;

const ResourceType = Type.Literal('dataset', {
  description: 'The type of the object. You can hand over datasets.',
});

export const TransferResourceRequest = strictObject(
  {
    id: Uuid,
    resourceId: Type.String({ description: 'The id of the dataset to hand over.' }),
    resourceType: ResourceType,
    recipientUserId: Type.String({ description: 'The id of the person who is to own it.' }),
    status: TransferStatus,
    userId: Type.String({ description: 'The id of the person who sent the request.' }),
    createdAt: Timestamp,
    endedAt: nullable(Timestamp),
  },
  { title: 'TransferResourceRequest', description: 'Asks another person to take over a dataset.' },
);
export type TransferResourceRequest = Static<typeof TransferResourceRequest>;

export const TransferResourceRequestCreate = strictObject(
  {
    resourceId: idSchema('The id of the dataset.'),
    resourceType: ResourceType,
    recipientUserId: idSchema('The id of a person in the workspace.'),
    status: Type.Optional(Type.Literal('pending', { description: 'A new request is always pending.' })),
    userId: Type.Optional(
      Type.String({ maxLength: 200, description: 'The id of another person returns 403.' }),
    ),
  },
  { title: 'TransferResourceRequestCreate' },
);
export type TransferResourceRequestCreate = Static<typeof TransferResourceRequestCreate>;

const repeated = Type.Optional(
  Type.String({ maxLength: 200, description: 'Cannot change: leave it out or send the current value.' }),
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

/** A dataset gets a new owner only when that person accepts. */
export const transferRequestRoutes = {
  listTransferResourceRequests: defineRoute({
    method: 'GET',
    path: '/transfer-resource-requests',
    operationId: 'listTransferResourceRequests',
    tag,
    summary: 'List transfer requests',
    description: 'Returns a page of the requests in the workspace that are visible to you.',
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
    summary: 'Ask a person to take over a dataset',
    description:
      'The owner changes when the recipient accepts. If a request for the dataset is pending, you get 409. You cannot name yourself as the recipient.',
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
    description: 'Returns one request.',
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
      'The recipient accepts or declines. The sender, the owner and holders of manage-datasets can revoke. Accepting moves the ownership with all its rights; if the sender may no longer hand over the dataset, it returns 409. A request that has ended cannot change (409).',
    caller: 'member',
    bearer: true,
    params,
    body: TransferResourceRequestPatch,
    success: { status: 200, description: 'The changed request.', schema: TransferResourceRequest },
    errors,
  }),
} as const;
