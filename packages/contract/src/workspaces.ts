import { Type } from 'typebox';
import { idParams, Name, nullable, strictObject, Timestamp, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const SubscriptionStatus = Type.Union(
  [
    Type.Literal('incomplete'),
    Type.Literal('incomplete_expired'),
    Type.Literal('trialing'),
    Type.Literal('active'),
    Type.Literal('past_due'),
    Type.Literal('canceled'),
    Type.Literal('unpaid'),
  ],
  { title: 'SubscriptionStatus' },
);
export type SubscriptionStatus = Type.Static<typeof SubscriptionStatus>;

export const Subscription = strictObject(
  {
    currentPeriodStart: nullable(Timestamp),
    currentPeriodEnd: nullable(Timestamp),
    cancelAtPeriodEnd: Type.Boolean(),
    status: SubscriptionStatus,
    trialStart: nullable(Timestamp),
    trialEnd: nullable(Timestamp),
    concurrency: nullable(Type.Integer()),
    subscriptionItemIds: strictObject({
      base: nullable(Type.String()),
      compute: nullable(Type.String()),
      storage: nullable(Type.String()),
      network: nullable(Type.String()),
    }),
  },
  { title: 'Subscription' },
);
export type Subscription = Type.Static<typeof Subscription>;

/** The id of a workspace. It never changes and is never used again. */
export const WorkspaceSlug = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
  maxLength: 63,
  description: 'Lower-case letters, digits and hyphens.',
});

export const Workspace = strictObject(
  {
    id: Type.String({ description: 'The slug of the workspace.' }),
    uniqueId: Uuid,
    name: Type.String(),
    userId: Type.String({ description: 'The id of the user who created it.' }),
    subscription: nullable(Subscription),
    createAttributesOnWrite: Type.Boolean({
      description:
        'Whether a write creates attributes for new tokens in its labels. Nobody holds such an attribute at first.',
    }),
  },
  { title: 'Workspace' },
);
export type Workspace = Type.Static<typeof Workspace>;

const refusedSubscription = Type.Optional(
  nullable(Type.Object({}, { description: 'Cannot change: returns 403, because billing sets it.' })),
);
const ownUserId = Type.Optional(
  Type.String({ maxLength: 200, description: 'The id of another person returns 403.' }),
);

export const WorkspaceCreate = strictObject(
  {
    name: Name,
    id: Type.Optional(WorkspaceSlug),
    userId: ownUserId,
    subscription: refusedSubscription,
  },
  { title: 'WorkspaceCreate' },
);
export type WorkspaceCreate = Type.Static<typeof WorkspaceCreate>;

export const WorkspacePatch = strictObject(
  {
    name: Type.Optional(Name),
    id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Cannot change: leave it out or send the current value.' }),
    ),
    uniqueId: Type.Optional(
      Type.String({ maxLength: 200, description: 'Cannot change: leave it out or send the current value.' }),
    ),
    userId: ownUserId,
    subscription: refusedSubscription,
    createAttributesOnWrite: Type.Optional(
      Type.Boolean({
        description:
          'If false, labels may only name attributes that the writer holds or, for people who manage attributes, that exist. Other labels return 400.',
      }),
    ),
  },
  { title: 'WorkspacePatch' },
);
export type WorkspacePatch = Type.Static<typeof WorkspacePatch>;

const tag = 'Workspaces';
const idOfWorkspace = idParams('The id (slug) of the workspace.');

export const workspaceRoutes = {
  listWorkspaces: defineRoute({
    method: 'GET',
    path: '/workspaces',
    operationId: 'listWorkspaces',
    tag,
    summary: 'List your workspaces',
    description:
      'Returns all your workspaces, whichever the session is bound to, so that you can choose where to sign in.',
    caller: 'person',
    list: { entity: Workspace, filters: ['id', 'uniqueId', 'name', 'userId'] },
    success: { status: 200, description: 'A page of workspaces.', schema: toPageSchema(Workspace) },
    errors: ['AuthError'],
  }),
  createWorkspace: defineRoute({
    method: 'POST',
    path: '/workspaces',
    operationId: 'createWorkspace',
    staysOpen: true,
    tag,
    summary: 'Create a workspace',
    description:
      'You become its admin, and a session without a workspace is bound to it. Without "id", the slug is derived from the name. A slug that is or was in use returns 409. An account without a verified address can create only one workspace.',
    caller: 'person',
    bearer: true,
    accountWide: true,
    body: WorkspaceCreate,
    success: { status: 201, description: 'The workspace.', schema: Workspace },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  getWorkspace: defineRoute({
    method: 'GET',
    path: '/workspaces/{id}',
    operationId: 'getWorkspace',
    tag,
    summary: 'Get a workspace',
    description: 'Returns one workspace by its slug.',
    caller: 'person',
    params: idOfWorkspace,
    success: { status: 200, description: 'The workspace.', schema: Workspace },
    errors: ['AuthError', 'NotFoundError'],
  }),
  updateWorkspace: defineRoute({
    method: 'PATCH',
    path: '/workspaces/{id}',
    operationId: 'updateWorkspace',
    tag,
    summary: 'Change a workspace',
    description: 'Changes the name, and whether writes create attributes.',
    caller: 'person',
    bearer: true,
    params: idOfWorkspace,
    body: WorkspacePatch,
    success: { status: 200, description: 'The changed workspace.', schema: Workspace },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  deleteWorkspace: defineRoute({
    method: 'DELETE',
    path: '/workspaces/{id}',
    operationId: 'deleteWorkspace',
    staysOpen: true,
    tag,
    summary: 'Delete a workspace and everything in it',
    description: 'Also ends its sessions. The slug can never be used again.',
    caller: 'person',
    bearer: true,
    params: idOfWorkspace,
    success: { status: 200, description: 'The deleted workspace.', schema: Workspace },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
