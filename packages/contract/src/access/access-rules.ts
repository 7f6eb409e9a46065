import type { OperationId } from '../core/routes.ts';
import type { AccessRule } from './access-rule.ts';
import { connectionRules } from './connection-rules.ts';
import { all, dataset, list, managers, ofIngest, only, readOne, withNote } from './rule-makers.ts';
import { scheduleRules } from './schedule-rules.ts';

/*
 * The table of access rules. One line for each call: who may make it (`may`), and to whom its object is visible
 * (`sees`). The server checks requests by these lines, and the API reference and the page of access rules are generated
 * from them. The credential that a call needs (`caller`, `bearer`) is declared in its route.
 */

const users = managers('manage-users');
const attributes = managers('manage-attributes');
const groups = managers('manage-groups');
const datasets = managers('manage-datasets');
const apiKeys = managers('manage-api-keys');
const applications = managers('manage-applications');
const audit = managers('manage-audit-log');
const identityProviders = managers('manage-identity-providers');

const labels = 'Returns only records whose label the attributes of the caller satisfy.';
const visibleRecords = 'Covers only records that they can see.';
const linkHolder = 'Only the person who has the link can use it.';
const jobDetails = 'Only the person who started a job sees its details.';
const noSelfAssignment = 'Nobody gives themselves an attribute.';

export const accessRules: Readonly<Record<OperationId, AccessRule>> = {
  // Signing in and the server itself
  authenticate: withNote(only('stranger', 'everyone'), 'The request must prove who the person is.'),
  signOut: withNote(
    only('stranger', 'everyone'),
    'With a credential, it ends only sessions of the same person.',
  ),
  getMe: withNote(all, 'Returns only the caller.'),
  getHealth: withNote(only('stranger', 'everyone'), 'Contains nothing about any workspace.'),
  getOpenApi: withNote(only('stranger', 'everyone'), 'The same for every caller.'),

  // People
  listUsers: withNote(
    list('colleague'),
    'Only admins of the workspace and holders of manage-users see the address, role and state of others.',
  ),
  createUser: withNote(
    only('stranger', ...users),
    'Without a credential, the request must not name a workspace or a role. Only admins create admins.',
  ),
  getUser: withNote(
    readOne('self', 'colleague'),
    'Only admins of the workspace and holders of manage-users see the address, role and state of others.',
  ),
  updateUser: withNote(
    { may: ['self', ...users], sees: ['colleague'] },
    'People change their own name, address and password. Admins and holders of manage-users change the role and state of others. Only admins change or create admins. The last admin cannot be changed.',
  ),
  deleteUser: withNote(
    { may: ['self', ...users], sees: ['colleague'] },
    'Only admins remove admins. The last admin cannot be removed.',
  ),
  requestEmailVerification: withNote(all, 'Works only for their own address.'),
  confirmEmail: withNote(only('stranger', 'everyone'), linkHolder),
  confirmEmailChange: withNote(only('stranger', 'everyone'), linkHolder),
  requestPasswordReset: withNote(only('stranger', 'everyone'), 'The link is sent only to the address.'),
  startPasswordReset: withNote(
    { may: users, sees: ['colleague'] },
    'The link is sent to the person and shown to nobody else.',
  ),
  confirmPasswordReset: withNote(only('stranger', 'everyone'), linkHolder),
  setProfilePicture: { may: ['self'], sees: ['colleague'] },
  getProfilePicture: readOne('colleague'),
  deleteProfilePicture: { may: ['self'], sees: ['colleague'] },
  listSessions: list('self'),
  deleteSession: readOne('self'),
  updateSession: readOne('self'),
  listInvitations: only(...users),
  createInvitation: withNote(only(...users), 'Only admins invite admins.'),
  lookAtInvitation: withNote(only('stranger', 'everyone'), linkHolder),
  joinWorkspace: withNote(only('stranger', 'everyone'), linkHolder),
  acceptInvitation: withNote(readOne('self'), 'The person concerned is the one who was invited.'),
  deleteInvitation: withNote(only(...users), 'Only admins delete invitations for admins.'),

  // Workspaces and permissions
  listWorkspaces: withNote(all, 'Contains only their own workspaces.'),
  createWorkspace: withNote(all, 'Creates it for themselves.'),
  getWorkspace: readOne('colleague'),
  updateWorkspace: { may: ['admin'], sees: ['colleague'] },
  deleteWorkspace: { may: ['admin'], sees: ['colleague'] },
  listWorkspacePermissions: all,
  listWorkspacePermissionAssignments: list('self', ...users),
  getWorkspacePermissionAssignment: readOne('self', ...users),
  createWorkspacePermissionAssignment: withNote(
    only(...users),
    'Nobody gives a permission to themselves, or gives one that they lack to others. Admins hold all permissions.',
  ),
  deleteWorkspacePermissionAssignment: withNote(
    readOne('self', ...users),
    'People can give up their own permissions. Nobody takes a permission that they lack from others.',
  ),

  // Attributes
  listAttributes: list('self', ...attributes),
  getAttribute: withNote(readOne('self', ...attributes), 'The person concerned holds it.'),
  createAttribute: only(...attributes),
  patchAttribute: { may: attributes, sees: ['self', ...attributes] },
  deleteAttribute: { may: attributes, sees: ['self', ...attributes] },
  listAttributeAssignments: list('self', ...attributes),
  getAttributeAssignment: readOne('self', ...attributes),
  createAttributeAssignment: withNote(only(...attributes), noSelfAssignment),
  patchAttributeAssignment: withNote({ may: attributes, sees: ['self', ...attributes] }, noSelfAssignment),
  deleteAttributeAssignment: { may: attributes, sees: ['self', ...attributes] },

  // Groups
  listGroups: list('group-member', ...groups),
  getGroup: readOne('group-member', ...groups),
  createGroup: withNote(all, 'The creator becomes its admin.'),
  patchGroup: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
  deleteGroup: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
  listGroupMemberships: list('group-member', ...groups),
  getGroupMembership: readOne('group-member', ...groups),
  createGroupMembership: withNote(
    { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
    'The child group must be visible to them.',
  ),
  patchGroupMembership: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },
  deleteGroupMembership: { may: ['group-admin', ...groups], sees: ['group-member', ...groups] },

  // Datasets
  listDatasets: list('any-right'),
  getDataset: readOne('any-right'),
  createDataset: withNote(all, 'The creator owns it.'),
  patchDataset: dataset('manage'),
  deleteDataset: dataset('manage'),
  listDatasetPermissions: list('manage', 'group-member'),
  getDatasetPermission: readOne('manage', 'group-member'),
  createDatasetPermission: dataset('manage', 'The group must be visible to them.'),
  patchDatasetPermission: withNote(
    { may: ['manage'], sees: ['manage', 'group-member'] },
    'The group must be visible to them.',
  ),
  deleteDatasetPermission: { may: ['manage'], sees: ['manage', 'group-member'] },
  listTransferResourceRequests: withNote(
    list('self', 'owner', ...datasets),
    'The people concerned are the sender and the recipient.',
  ),
  getTransferResourceRequest: readOne('self', 'owner', ...datasets),
  createTransferResourceRequest: { may: ['owner', ...datasets], sees: ['any-right'] },
  patchTransferResourceRequest: withNote(
    readOne('self', 'owner', ...datasets),
    'The recipient accepts or declines the request. The sender, the owner and holders of manage-datasets can revoke it.',
  ),

  // Records
  writeRecords: dataset('write', 'Replacing records also needs read, and changing their label needs manage.'),
  writeRecordsV2: dataset(
    'write',
    'Replacing records also needs read, and changing their label needs manage. Labels on columns need manage.',
  ),
  patchColumnSecurity: dataset('manage', 'Nobody removes a label that they do not satisfy.'),
  listColumnLabels: dataset('manage', 'Lists only columns of records that they can see.'),
  queryLucene: dataset('read', labels),
  readInSequence: dataset('read', labels),
  readRange: dataset('read', labels),
  getSplits: dataset('read', labels),
  getDatasetSchema: dataset('read', 'Describes only records and columns that they can see.'),
  query: withNote(
    readOne('read'),
    `A dataset in the statement that they may not read does not exist for them. ${labels}`,
  ),
  cancelQuery: withNote(readOne('self'), 'The person concerned is the one who runs the query.'),
  queryDocuments: dataset('read', labels),
  queryDocumentsLucene: dataset('read', labels),
  summarizeSql: dataset('read', `Covers all datasets that they may read, or the named ones. ${labels}`),
  summarizeLucene: dataset('read', `Covers all datasets that they may read, or the named ones. ${labels}`),
  readRows: dataset('read', labels),
  profileFields: dataset('read', labels),
  listValues: dataset('read', labels),
  getDraftKey: withNote(all, 'Returns only their own key.'),
  listSavedQueries: list('self'),
  createSavedQuery: withNote(all, 'Only the creator sees it.'),
  getSavedQuery: withNote(readOne('self'), 'Admins do not see queries of others.'),
  patchSavedQuery: readOne('self'),
  deleteSavedQuery: readOne('self'),
  listQueryHistory: withNote(list('self'), 'Admins do not see queries of others.'),
  deleteQueryHistory: withNote(all, 'Deletes only their own entries.'),
  createExport: withNote(all, 'The query runs when the file is downloaded, with the rights of that time.'),
  downloadExport: withNote(readOne('self'), `Works only in the session that prepared it. ${labels}`),
  deleteRecords: dataset('read-and-write', visibleRecords),
  deleteRecordsByQuery: dataset('read-and-write', visibleRecords),
  deleteDocumentsByQuery: dataset('read-and-write', visibleRecords),
  relabelRecords: dataset('manage', visibleRecords),
  clearDataset: dataset('manage'),
  createUpload: dataset('write', ofIngest),
  previewUpload: withNote(all, 'Stores nothing, and reads nothing but the file that is sent.'),
  getIngestOptions: withNote(all, 'The same for every caller.'),
  startIngest: dataset('write', ofIngest),
  previewIngest: dataset('write', 'Stores nothing, and reads nothing but the source that is sent.'),
  getJobReceipt: withNote(
    readOne('self', 'read'),
    'The person who started the job sees all of it. Readers see the files that contain records visible to them, with the number of these records.',
  ),
  listRejectedRows: list('self'),
  getLabelVisibility: withNote(
    all,
    'Tells them which labels they satisfy themselves. Only admins, and holders of manage-attributes and manage-groups who manage the dataset, get the number of readers.',
  ),
  listUploads: withNote(
    list('self', 'read'),
    'The person concerned is the one who made the upload. Readers see the uploads that contain records visible to them.',
  ),
  deleteUpload: withNote(
    { may: ['self', 'read-and-write'], sees: ['self', 'read'] },
    `Readers see the uploads that contain records visible to them. The person who made the upload also needs the rights to read and write the dataset. ${visibleRecords}`,
  ),
  replayRejectedRows: withNote(
    readOne('self'),
    'The person concerned is the one who started the job. They also need the right to write to the dataset.',
  ),
  getRecordSource: dataset(
    'read',
    `${labels} Only the person who ingested the file sees the position of the row in it.`,
  ),
  serveMedia: dataset('read', 'Works for files of which they can see all records and all fields.'),
  getDocumentPage: dataset('read', 'Works for files of which they can see all records and all fields.'),
  getMediaFile: withNote(
    only('stranger', 'everyone'),
    'The address names the person and the session or key that asked for it. Their rights are checked at each request.',
  ),
  ...connectionRules,
  listLabelParsers: all,
  getLabelParser: all,

  // Indexes and jobs
  listIndexes: dataset('manage'),
  getIndex: readOne('manage'),
  createIndex: dataset('manage'),
  patchIndex: readOne('manage'),
  deleteIndex: readOne('manage'),
  manageIndexes: dataset('manage'),
  listJobs: withNote(
    list('self', 'manage'),
    `${jobDetails} Without a dataset, only their own jobs are listed.`,
  ),
  getJob: withNote(readOne('self', 'manage'), jobDetails),
  createJob: dataset('read-and-write', 'Clearing and reindexing need manage.'),
  patchJob: withNote(
    readOne('self', 'manage'),
    'The person who started a job cancels or retries it. Others can only cancel it.',
  ),
  listSegments: list('self'),
  getSegment: readOne('self'),

  ...scheduleRules,

  // API keys
  listApiKeys: list('self', ...apiKeys),
  getApiKey: readOne('self', ...apiKeys),
  createApiKey: withNote(
    all,
    'They create keys for themselves, with groups that they are in and attributes that they hold. Holders of manage-attributes can name other attributes, which are then created.',
  ),
  patchApiKey: withNote(readOne('self', ...apiKeys), 'Keys of others can only be revoked.'),
  deleteApiKey: readOne('self', ...apiKeys),

  // Applications
  listApplicationGrants: list('self'),
  deleteApplicationGrant: readOne('self'),
  listApplications: withNote(
    list('self', ...applications),
    'Others find visible applications that allow them and whose datasets they can read.',
  ),
  getApplication: withNote(
    readOne('self', ...applications),
    'The people concerned are those whom a visible application allows and who can read its datasets.',
  ),
  createApplication: only(...applications),
  patchApplication: { may: applications, sees: ['self', ...applications] },
  deleteApplication: { may: applications, sees: ['self', ...applications] },
  authorizeApplication: withNote(
    only('stranger', 'everyone'),
    'Before sign-in, the page shows only the name of the application.',
  ),
  answerApplication: withNote(
    only('stranger', 'everyone'),
    'People who sign in on the page answer for themselves.',
  ),
  exchangeOAuthToken: withNote(
    only('stranger', 'everyone'),
    'Only the application that received the code or token can use it, with its secret.',
  ),
  revokeOAuthToken: withNote(
    only('stranger', 'everyone'),
    'Only the application that received the code or token can use it, with its secret.',
  ),
  getOAuthMetadata: withNote(only('stranger', 'everyone'), 'Contains nothing about any workspace.'),

  // Billing
  getUsage: only(...managers('manage-billing')),
  startCheckout: only(...managers('manage-billing')),
  openBillingPortal: only(...managers('manage-billing')),
  receiveBillingEvent: withNote(
    only('stranger', 'everyone'),
    'Only events that the payment host has signed have an effect.',
  ),

  // Audit
  queryAuditLog: withNote(
    all,
    'Only admins of the workspace and holders of manage-audit-log find all of its events. Others find their own.',
  ),
  listAuditLogConfigs: only(...audit),
  patchAuditLogConfig: only(...audit),

  // Identity providers
  getSignInOptions: only('stranger', 'everyone'),
  beginSingleSignOn: withNote(only('stranger', 'everyone'), 'Sends the browser to the provider.'),
  finishSingleSignOn: withNote(
    only('stranger', 'everyone'),
    'Works only for the person who returns from the provider in the same browser.',
  ),
  listCustomIdentityProviders: list(...identityProviders),
  getCustomIdentityProvider: readOne(...identityProviders),
  createCustomIdentityProvider: only(...identityProviders),
  patchCustomIdentityProvider: readOne(...identityProviders),
  deleteCustomIdentityProvider: readOne(...identityProviders),
};

const byName: Readonly<Record<string, AccessRule>> = accessRules;

/** The access rule of a call, or undefined if no call has this `operationId`. */
export const findAccessRule = (operationId: string): AccessRule | undefined => byName[operationId];
