import type { OperationId } from '../core/routes.ts';
import type { AccessRule, ActorClass } from './access-rule.ts';

/*
 * THE TABLE OF RULES. One line for each call: who may make it (`may`), and who knows of what it is about (`sees`). The
 * server's checks read these lines; the API reference and the page of access rules are made from them. What credential a call
 * asks for (`caller`, `bearer`) stands with its route.
 */

const all: AccessRule = { may: ['everyone'] };
/** One thing: who may look at it is who knows of it. */
const look = (...sees: ActorClass[]): AccessRule => ({ may: sees, sees });
/** A list: everyone may ask, and finds what they know of. */
const list = (...sees: ActorClass[]): AccessRule => ({ may: ['everyone'], sees });
const only = (...may: ActorClass[]): AccessRule => ({ may });
const noted = (rule: AccessRule, note: string): AccessRule => ({ ...rule, note });

const managers = (code: ActorClass): ActorClass[] => ['admin', code];
const users = managers('manage-users');
const attributes = managers('manage-attributes');
const groups = managers('manage-groups');
const datasets = managers('manage-datasets');
const apiKeys = managers('manage-api-keys');
const applications = managers('manage-applications');
const audit = managers('manage-audit-log');
const identityProviders = managers('manage-identity-providers');

/** Holders of the rights of the line; who has some other right is refused, for others there is no such dataset. */
const dataset = (right: ActorClass, note?: string): AccessRule => ({
  may: [right],
  sees: ['any-right'],
  ...(note === undefined ? {} : { note }),
});
const labels = 'Records come only where the attributes of the caller satisfy the label.';
const nobodyThemselves = 'Nobody gives themselves an attribute.';

export const accessRules: Readonly<Record<OperationId, AccessRule>> = {
  // Signing in and the server itself
  authenticate: noted(only('stranger', 'everyone'), 'Whoever proves to be the person.'),
  signOut: noted(only('stranger', 'everyone'), 'With a credential, only tokens of the same person.'),
  getMe: noted(all, 'Tells about the caller alone.'),
  getHealth: noted(only('stranger', 'everyone'), 'Says nothing about any workspace.'),
  getOpenApi: noted(only('stranger', 'everyone'), 'The same for every caller.'),

  // People
  listUsers: noted(list('colleague'), `Address, role and state of others are for ${users.join(' and ')}.`),
  createUser: noted(
    only('stranger', ...users),
    'Strangers name neither a workspace nor a role. Only admins make admins.',
  ),
  getUser: noted(
    look('self', 'colleague'),
    `Address, role and state of others are for ${users.join(' and ')}.`,
  ),
  updateUser: noted(
    { may: ['self', ...users], sees: ['colleague'] },
    'People change their own names, address and password; of others role and state are changed. Only admins change admins and make them. The last admin stays one.',
  ),
  deleteUser: noted(
    { may: ['self', ...users], sees: ['colleague'] },
    'Only admins remove admins. The last admin cannot go.',
  ),
  requestEmailVerification: noted(all, 'For their own address.'),
  confirmEmail: noted(only('stranger', 'everyone'), 'Whoever has the link.'),
  confirmEmailChange: noted(only('stranger', 'everyone'), 'Whoever has the link.'),
  requestPasswordReset: noted(only('stranger', 'everyone'), 'The link goes to the address alone.'),
  startPasswordReset: noted(
    { may: users, sees: ['colleague'] },
    'The link goes to the person alone, and is shown to nobody else.',
  ),
  confirmPasswordReset: noted(only('stranger', 'everyone'), 'Whoever has the link.'),
  setProfilePicture: { may: ['self'], sees: ['colleague'] },
  getProfilePicture: look('colleague'),
  deleteProfilePicture: { may: ['self'], sees: ['colleague'] },
  listSessions: list('self'),
  deleteSession: look('self'),
  listInvitations: only(...users),
  acceptInvitation: noted(look('self'), 'That is who was invited.'),
  deleteInvitation: noted(only(...users), 'Only admins take back what invites an admin.'),

  // Workspaces and permissions
  listWorkspaces: noted(all, 'Their own workspaces.'),
  createWorkspace: noted(all, 'For themselves.'),
  getWorkspace: look('colleague'),
  updateWorkspace: { may: ['admin'], sees: ['colleague'] },
  deleteWorkspace: { may: ['admin'], sees: ['colleague'] },
  listWorkspacePermissions: all,
  listWorkspacePermissionAssignments: list('self', ...users),
  getWorkspacePermissionAssignment: look('self', ...users),
  createWorkspacePermissionAssignment: noted(
    only(...users),
    'Nobody gives themselves a permission, nor one that they lack to another; admins hold all.',
  ),
  deleteWorkspacePermissionAssignment: noted(
    look('self', ...users),
    'People give back their own; nobody takes one that they lack from another.',
  ),

  // Attributes
  listAttributes: list('self', ...attributes),
  getAttribute: noted(look('self', ...attributes), 'That is who holds it.'),
  createAttribute: only(...attributes),
  patchAttribute: { may: attributes, sees: ['self', ...attributes] },
  deleteAttribute: { may: attributes, sees: ['self', ...attributes] },
  listAttributeAssignments: list('self', ...attributes),
  getAttributeAssignment: look('self', ...attributes),
  createAttributeAssignment: noted(only(...attributes), nobodyThemselves),
  patchAttributeAssignment: noted({ may: attributes, sees: ['self', ...attributes] }, nobodyThemselves),
  deleteAttributeAssignment: { may: attributes, sees: ['self', ...attributes] },

  // Groups
  listGroups: list('group-member', ...groups),
  getGroup: look('group-member', ...groups),
  createGroup: noted(all, 'The maker becomes its admin.'),
  patchGroup: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
  deleteGroup: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
  listGroupMemberships: list('group-member', ...groups),
  getGroupMembership: look('group-member', ...groups),
  createGroupMembership: noted(
    { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
    'They must see the child group.',
  ),
  patchGroupMembership: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
  deleteGroupMembership: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },

  // Datasets
  listDatasets: list('any-right'),
  getDataset: look('any-right'),
  createDataset: noted(all, 'The maker owns it.'),
  patchDataset: dataset('manage'),
  deleteDataset: dataset('manage'),
  listDatasetPermissions: list('manage', 'group-member'),
  getDatasetPermission: look('manage', 'group-member'),
  createDatasetPermission: dataset('manage', 'They must see the group.'),
  patchDatasetPermission: noted(
    { may: ['manage'], sees: ['manage', 'group-member'] },
    'They must see the group.',
  ),
  deleteDatasetPermission: { may: ['manage'], sees: ['manage', 'group-member'] },
  listTransferResourceRequests: noted(
    list('self', 'owner', ...datasets),
    'Those who ask, and who are asked.',
  ),
  getTransferResourceRequest: look('self', 'owner', ...datasets),
  createTransferResourceRequest: { may: ['owner', ...datasets], sees: ['any-right'] },
  patchTransferResourceRequest: noted(
    look('self', 'owner', ...datasets),
    'Who is asked accepts or declines; who asks revokes, and so do the owner and those who manage datasets.',
  ),

  // Records
  writeRecords: dataset(
    'write',
    'Records that replace others also need read, and manage where the label changes.',
  ),
  writeRecordsV2: dataset(
    'write',
    'Records that replace others also need read, and manage where the label changes. Labels on columns need manage.',
  ),
  patchColumnSecurity: dataset('manage', 'Nobody takes away a label that they do not satisfy.'),
  queryLucene: dataset('read', labels),
  readInSequence: dataset('read', labels),
  readRange: dataset('read', labels),
  getSplits: dataset('read', labels),
  getDatasetSchema: dataset('read', 'Of the records and columns that they see.'),
  query: noted(
    look('read'),
    `A dataset that the statement names, and they may not read, is unknown. ${labels}`,
  ),
  cancelQuery: noted(look('self'), 'That is who asks it.'),
  queryDocuments: dataset('read', labels),
  queryDocumentsLucene: dataset('read', labels),
  summarizeSql: dataset('read', `Of all datasets, or of those that are named. ${labels}`),
  summarizeLucene: dataset('read', `Of all datasets, or of those that are named. ${labels}`),
  deleteRecords: dataset('read-and-write', 'Of the records those that they see.'),
  deleteRecordsByQuery: dataset('read-and-write', 'Of the records those that they see.'),
  deleteDocumentsByQuery: dataset('read-and-write', 'Of the records those that they see.'),
  relabelRecords: dataset('manage', 'Of the records those that they see.'),
  clearDataset: dataset('manage'),
  createUpload: dataset('write'),
  startIngest: dataset('write'),
  getJobReceipt: noted(
    look('self', 'read'),
    'The person who started the job sees all of it. Readers see files of which they see records, with the number of these.',
  ),
  listRejectedRows: list('self'),
  listLabelParsers: all,
  getLabelParser: all,

  // Indexes and jobs
  listIndexes: dataset('manage'),
  getIndex: look('manage'),
  createIndex: dataset('manage'),
  patchIndex: look('manage'),
  deleteIndex: look('manage'),
  manageIndexes: dataset('manage'),
  listJobs: noted(list('self', 'manage'), 'Who starts it sees all of it, others no details.'),
  getJob: noted(look('self', 'manage'), 'Who starts it sees all of it, others no details.'),
  createJob: dataset('read-and-write', 'Clearing and reindexing need manage.'),
  patchJob: noted(look('self', 'manage'), 'Who starts it cancels it or tries it again, others cancel it.'),
  listSegments: list('self'),
  getSegment: look('self'),

  // API keys
  listApiKeys: list('self', ...apiKeys),
  getApiKey: look('self', ...apiKeys),
  createApiKey: noted(
    all,
    'For themselves, with groups that they are in and attributes that they hold; those who manage attributes may name others, which then are made.',
  ),
  patchApiKey: noted(
    look('self', ...apiKeys),
    'Keys of others are revoked, and nothing else of them changes.',
  ),
  deleteApiKey: look('self', ...apiKeys),

  // Applications
  listApplicationGrants: list('self'),
  deleteApplicationGrant: look('self'),
  listApplications: noted(
    list('self', ...applications),
    'Others find the visible ones that allow them and whose datasets they can reach.',
  ),
  getApplication: noted(
    look('self', ...applications),
    'That is whom a visible one allows, if they can reach its datasets.',
  ),
  createApplication: only(...applications),
  patchApplication: { may: applications, sees: ['self', ...applications] },
  deleteApplication: { may: applications, sees: ['self', ...applications] },
  authorizeApplication: noted(
    only('stranger', 'everyone'),
    'Before somebody signs in, the page names the application alone.',
  ),
  answerApplication: noted(only('stranger', 'everyone'), 'Whoever signs in on the page, for themselves.'),
  exchangeOAuthToken: noted(
    only('stranger', 'everyone'),
    'The application to which it was given, with its secret.',
  ),
  revokeOAuthToken: noted(
    only('stranger', 'everyone'),
    'The application to which it was given, with its secret.',
  ),
  getOAuthMetadata: noted(only('stranger', 'everyone'), 'Says nothing about any workspace.'),

  // Billing
  getUsage: only(...managers('manage-billing')),
  startCheckout: only(...managers('manage-billing')),
  openBillingPortal: only(...managers('manage-billing')),
  receiveBillingEvent: noted(
    only('stranger', 'everyone'),
    'Only what the payment host has signed changes anything.',
  ),

  // Audit
  queryAuditLog: noted(
    all,
    `The events of the workspace are for ${audit.join(' and ')}, others find their own.`,
  ),
  listAuditLogConfigs: only(...audit),
  patchAuditLogConfig: only(...audit),

  // Identity providers
  beginSingleSignOn: noted(only('stranger', 'everyone'), 'Sends the browser to the provider.'),
  finishSingleSignOn: noted(
    only('stranger', 'everyone'),
    'Whoever comes back from the provider in the browser that went there.',
  ),
  listCustomIdentityProviders: list(...identityProviders),
  getCustomIdentityProvider: look(...identityProviders),
  createCustomIdentityProvider: only(...identityProviders),
  patchCustomIdentityProvider: look(...identityProviders),
  deleteCustomIdentityProvider: look(...identityProviders),
};

const byName: Readonly<Record<string, AccessRule>> = accessRules;

/** The line of a call; undefined where there is no such call. */
export const findAccessRule = (operationId: string): AccessRule | undefined => byName[operationId];
