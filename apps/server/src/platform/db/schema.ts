import type { JobStatus, JobType } from '@redoubt/contract';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ApplicationTables } from './tables/applications.ts';
import type { ApiKeyAttributeTable, ApiKeyGroupTable, ApiKeyTable } from './tables/api-keys.ts';
import type {
  AccountLinkTable,
  AccountPictureTable,
  EmailChangeTable,
  MailOutboxTable,
} from './tables/accounts.ts';
import type { AuditTables } from './tables/audit.ts';
import type { BillingTables } from './tables/billing.ts';
import type {
  AccountIdentityTable,
  IdentityProviderTable,
  SignInCodeTable,
  SignInFailureTable,
} from './tables/identity-providers.ts';
import type { IngestTables } from './tables/ingest.ts';
import type { PermissionAssignmentTable, TransferRequestTable } from './tables/permissions.ts';
import type { RunningQueryTable } from './tables/running-queries.ts';

/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>;

export type WorkspaceRole = 'member' | 'admin';
export type DatasetAction = 'read' | 'write' | 'manage';

/** A person, across workspaces. `email` is kept in lower case. */
export interface AccountTable {
  id: Fixed<string>;
  email: string;
  first_name: string;
  last_name: string;
  /** Null for an account without a password of its own. */
  password_hash: string | null;
  /** The workspace where somebody else has chosen the password; null once it is the person's own. */
  password_chosen_in: Generated<string | null>;
  verified: boolean;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** A sign-in; its id is the `jti` of the token. */
export interface SessionTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  /** Null until the session is bound; then it stays. */
  workspace_uid: string | null;
  created_at: Fixed<Date>;
  expires_at: Fixed<Date>;
  revoked_at: Date | null;
  /** What a person gave to an application, for which this is its token; null for their own. */
  grant_id: ColumnType<string | null, string | null | undefined, never>;
  /** Who somebody is at an identity provider, by which it was opened; null for one that was opened otherwise. */
  identity_id: ColumnType<string | null, string | null | undefined, never>;
  /** The session that it was opened in exchange for, with which it ends; null for others. */
  derived_from: ColumnType<string | null, string | null | undefined, never>;
  /** By what its person is narrowed, as `credentialText` writes it; null for a session of their own. */
  credential: ColumnType<string | null, string | null | undefined, never>;
}

/** `unique_id` is the key used inside; `slug` is the id that people and clients use. */
export interface WorkspaceTable {
  unique_id: Fixed<string>;
  slug: Fixed<string>;
  name: string;
  created_by: Fixed<string>;
  /** Whether a write may create attributes that it names first. */
  create_attributes_on_write: boolean;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** Slugs of deleted workspaces, which are never given again. */
export interface RetiredSlugTable {
  slug: Fixed<string>;
}

export interface MembershipTable {
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  role: WorkspaceRole;
  disabled: boolean;
  created_at: Fixed<Date>;
}

export interface InvitationTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  role: Fixed<WorkspaceRole>;
  token_hash: string;
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
  expires_at: Fixed<Date>;
  accepted_at: Date | null;
}

export interface AttributeTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  name: string;
  /** In its normal form; labels refer to it, so it never changes. */
  token: Fixed<string>;
  description: string;
  created_at: Fixed<Date>;
}

export interface AttributeAssignmentTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  attribute_id: string;
  account_id: string;
  created_at: Fixed<Date>;
}

export interface GroupTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  name: string;
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
}

/** Exactly one of `account_id` and `child_group_id` is set. */
export interface GroupMembershipTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  group_id: Fixed<string>;
  account_id: Fixed<string | null>;
  child_group_id: Fixed<string | null>;
  role: WorkspaceRole;
  created_at: Fixed<Date>;
}

export interface DatasetTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  name: string;
  description: string;
  auto_create_indexes: boolean;
  search_any_field: boolean;
  /** Who owns it: who made it, until it is handed over. */
  created_by: string;
  created_at: Fixed<Date>;
  updated_at: Date;
  /** How many labels the dataset has interned; ids run from 0 to one less. */
  label_count: ColumnType<number, number | undefined, number>;
  /** How many paths the dataset has interned; ids run from 0 to one less. */
  path_count: ColumnType<number, number | undefined, number>;
  /** Another number after any change to the paths. */
  path_version: ColumnType<number, number | undefined, number>;
  /** The labels of columns, as `serializeColumnLabels` writes them. */
  column_labels: ColumnType<string, string | undefined, string>;
  /** Another number after any change to the labels of columns. */
  column_version: ColumnType<number, number | undefined, number>;
}

/** Datasets whose record table is still to be dropped: written in the transaction that deletes the dataset. */
export interface PendingDropTable {
  dataset_id: Fixed<string>;
  /** The dataset is being made: its record table is to be dropped only if that never comes to its end. */
  creating: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface DatasetPermissionTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  dataset_id: Fixed<string>;
  group_id: string;
  action: DatasetAction;
  created_at: Fixed<Date>;
}

/** The distinct labels of a dataset. The hash carries the uniqueness: expressions outgrow an index entry. */
export interface DatasetLabelTable {
  dataset_id: Fixed<string>;
  label_id: Fixed<number>;
  expression: Fixed<string>;
  expression_hash: Fixed<string>;
}

/** The distinct paths of a dataset, with the bit mask of the kinds of value seen there. */
export interface DatasetPathTable {
  dataset_id: Fixed<string>;
  path_id: Fixed<number>;
  path: Fixed<string>;
  path_hash: Fixed<string>;
  kinds: number;
}

export type IndexState = 'made' | 'automatic' | 'dropped';

export interface DatasetIndexTable {
  id: Fixed<string>;
  dataset_id: Fixed<string>;
  /** A JSON list as text. */
  fields: string;
  state: IndexState;
  /** The account of who made it; '' unless its state is "made". */
  made_by: string;
  created_at: Fixed<Date>;
}

export interface JobTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  dataset_id: Fixed<string>;
  /** Who started it: it runs with what they may do then. */
  account_id: Fixed<string>;
  type: Fixed<JobType>;
  /** By what they were narrowed when they started it, as `credentialText` writes it; null where by nothing. */
  credential: Fixed<string | null>;
  /** What a person gave to the application that started it: it may do nothing once that is over; null for other jobs. */
  grant_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** JSON as text: it may hold what PostgreSQL's jsonb cannot. */
  config: Fixed<string>;
  /** Lists of fields, as JSON: nobody but the starter knows of the job who does not see all fields of one of them; null for jobs without. */
  about: ColumnType<string | null, string | null | undefined, never>;
  status: JobStatus;
  error: string | null;
  stage: ColumnType<number, number | undefined, number>;
  total_stages: Fixed<number>;
  /** Percent. */
  progress: ColumnType<number, number | undefined, number>;
  record_count: number | null;
  /** Grows each time it is tried again. */
  run: ColumnType<number, number | undefined, number>;
  cancel_asked: ColumnType<boolean, boolean | undefined, boolean>;
  /** The worker that runs it, and until when it says to be alive. */
  worker: string | null;
  lease_until: Date | null;
  created_at: Fixed<Date>;
  started_at: Date | null;
  ended_at: Date | null;
}

export type { UsageMeter } from './tables/billing.ts';

export type JobRow = Selectable<JobTable>;

/** A part of a job. */
export interface SegmentTable {
  id: Fixed<string>;
  job_id: Fixed<string>;
  config: Fixed<string>;
  /** Lists of fields, as JSON: nobody but the starter knows of the job who does not see all fields of one of them; null for jobs without. */
  about: ColumnType<string | null, string | null | undefined, never>;
  status: JobStatus;
  error: string | null;
  stage: ColumnType<number, number | undefined, number>;
  processed_by: string | null;
  upload_id: string | null;
}

/** See the migration `0015-changes`: the sum of all rows is another one after each change. */
export interface MetadataChangeTable {
  id: Generated<string>;
  changes: string;
}

/** The metadata database. */
export interface Database extends ApplicationTables, AuditTables, BillingTables, IngestTables {
  accounts: AccountTable;
  mail_outbox: MailOutboxTable;
  account_links: AccountLinkTable;
  email_changes: EmailChangeTable;
  account_pictures: AccountPictureTable;
  sessions: SessionTable;
  running_queries: RunningQueryTable;
  workspaces: WorkspaceTable;
  retired_slugs: RetiredSlugTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  attributes: AttributeTable;
  attribute_assignments: AttributeAssignmentTable;
  groups: GroupTable;
  group_memberships: GroupMembershipTable;
  datasets: DatasetTable;
  pending_drops: PendingDropTable;
  dataset_permissions: DatasetPermissionTable;
  dataset_labels: DatasetLabelTable;
  dataset_paths: DatasetPathTable;
  dataset_indexes: DatasetIndexTable;
  jobs: JobTable;
  segments: SegmentTable;
  api_keys: ApiKeyTable;
  api_key_groups: ApiKeyGroupTable;
  api_key_attributes: ApiKeyAttributeTable;
  identity_providers: IdentityProviderTable;
  account_identities: AccountIdentityTable;
  sign_in_codes: SignInCodeTable;
  sign_in_failures: SignInFailureTable;
  permission_assignments: PermissionAssignmentTable;
  transfer_requests: TransferRequestTable;
  metadata_changes: MetadataChangeTable;
}
