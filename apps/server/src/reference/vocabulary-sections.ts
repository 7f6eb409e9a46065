import {
  allRoutes,
  auditEventTypes,
  permissionCodes,
  findAccessRule,
  type AuditEventType,
  type JobStatus,
  type JobType,
} from '@redoubt/contract';
import { labelParsers } from '@redoubt/labels';
import { code, table } from './markdown.ts';

/** What each permission of a workspace opens, by the table of rules. */
export const permissionsSection = (): string =>
  table(
    ['Permission', 'Calls that its holders may make'],
    permissionCodes.map((permission) => {
      const calls = allRoutes.filter(({ operationId }) =>
        findAccessRule(operationId)?.may.includes(permission),
      );
      const opened = calls.map(({ operationId }) => code(operationId)).join(', ');
      return [
        code(permission),
        permission === 'manage-datasets' ? 'All that read, write and manage on every dataset open' : opened,
      ];
    }),
  );

const eventTexts: Readonly<Record<AuditEventType, string>> = {
  Login:
    'Signing in and out, sign-ins that failed, sessions that were ended, and what people allow applications.',
  UserProfileManagement: 'Changes of names, addresses, passwords and pictures.',
  UserManagement:
    'Accounts that somebody else made or changed, invitations, members, API keys and permissions of a workspace.',
  AuditLogConfigManagement: 'How long events are kept.',
  WorkspaceManagement: 'Workspaces and applications.',
  AttributeManagement: 'Attributes, and who holds them.',
  GroupManagement: 'Groups, and who is in them.',
  DatasetManagement:
    'Datasets, their permissions, owners, indexes and labels of columns, clearing them, and jobs that were started, canceled or tried again.',
  BillingPlanManagement: 'Subscriptions.',
  DataDownload: 'Searches, statements, reads and backups.',
  IdentityProviderManagement: 'Identity providers of a workspace.',
  WriteRecords: 'Records that were written, relabelled or deleted.',
};

export const auditEventsSection = (): string =>
  table(
    ['Type', 'What it is about'],
    auditEventTypes.map((type) => [code(type), eventTexts[type]]),
  );

const jobTexts: Readonly<Record<JobType, readonly [starts: string, does: string]>> = {
  ingest: ['nothing yet', 'Will read files and other systems into a dataset.'],
  reindex: ['making or changing an index', 'Fills the indexes of a dataset with its records.'],
  'clear-dataset': ['`POST /storage/datasets/{datasetId}/clear`', 'Removes all records of a dataset.'],
  'delete-record': [
    '`POST /storage/datasets/{datasetId}/deleteRecords`, or the same with `/query`',
    'Removes the records that were named or found.',
  ],
  'delete-document': [
    '`POST /storage/datasets/{datasetId}/deleteDocuments/query`',
    'Removes the visible records of each document that has a visible match.',
  ],
  'relabel-record': [
    '`PATCH /storage/datasets/{datasetId}/labels`',
    'Changes the labels of records that its starter sees.',
  ],
};

export const jobTypesSection = (): string =>
  table(
    ['Type', 'Started by', 'What it does'],
    Object.entries(jobTexts).map(([type, texts]) => [code(type), ...texts]),
  );

const statusTexts: Readonly<Record<JobStatus, string>> = {
  queued: 'It waits for its turn. It can be canceled.',
  running: 'It works. It can be canceled.',
  completed: 'It is done.',
  canceled:
    'Somebody stopped it. It has changed nothing that its `error` does not tell of. It can be tried again.',
  failed: 'It gave up; `error` says why. It can be tried again by whoever started it.',
};

export const jobStatesSection = (): string =>
  table(
    ['Status', 'What it means'],
    Object.entries(statusTexts).map(([status, text]) => [code(status), text]),
  );

export const labelParsersSection = (): string =>
  table(
    ['`parserClassName`', 'What it does'],
    labelParsers.map(({ id, description }) => [code(id), description]),
  );
