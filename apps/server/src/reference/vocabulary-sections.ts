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

/** The calls that each workspace permission allows, from the access table. */
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
        permission === 'manage-datasets'
          ? 'All calls that read, write and manage allow, on every dataset'
          : opened,
      ];
    }),
  );

const eventTexts: Readonly<Record<AuditEventType, string>> = {
  Login: 'Signing in and out, failed sign-ins, revoked sessions, and grants to applications.',
  UserProfileManagement: 'Changes of names, addresses, passwords and pictures.',
  UserManagement:
    'Accounts created or changed by other people, invitations, members, API keys and permissions of a workspace.',
  AuditLogConfigManagement: 'How long events are kept.',
  WorkspaceManagement: 'Workspaces and applications.',
  AttributeManagement: 'Attributes, and who holds them.',
  GroupManagement: 'Groups, and who is in them.',
  DatasetManagement:
    'Datasets, their permissions, owners, indexes and column labels, clearing them, and jobs that were started, canceled or retried.',
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
  ingest: ['`POST /uploads`, `POST /ingest`, or a replay of rejected rows', 'Reads files into a dataset.'],
  reindex: ['creating or changing an index', 'Fills the indexes of a dataset with its records.'],
  'clear-dataset': ['`POST /storage/datasets/{datasetId}/clear`', 'Deletes all records of a dataset.'],
  'delete-record': [
    '`POST /storage/datasets/{datasetId}/deleteRecords`, the same with `/query`, or `DELETE /uploads/{id}`',
    'Deletes the records with the given ids, those that the query matches, or those of an upload.',
  ],
  'delete-document': [
    '`POST /storage/datasets/{datasetId}/deleteDocuments/query`',
    'Deletes the visible records of each document that has a visible match.',
  ],
  'relabel-record': [
    '`PATCH /storage/datasets/{datasetId}/labels`',
    'Changes the labels of records that the person who started it can see.',
  ],
};

export const jobTypesSection = (): string =>
  table(
    ['Type', 'Started by', 'What it does'],
    Object.entries(jobTexts).map(([type, texts]) => [code(type), ...texts]),
  );

const statusTexts: Readonly<Record<JobStatus, string>> = {
  queued: 'It waits in the queue. It can be canceled.',
  running: 'It is running. It can be canceled.',
  completed: 'It is done.',
  canceled: 'A person canceled it. If it changed anything before that, `error` says so. It can be retried.',
  failed: 'It failed; `error` says why. The person who started it can retry it.',
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
