import type { DatasetAction, JobStatus, JobType, WorkspaceRole } from '@redoubt/contract';
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
import type { ConnectionTables } from './tables/connections.ts';
import type {
  AccountIdentityTable,
  IdentityProviderTable,
  SignInCodeTable,
  SignInFailureTable,
} from './tables/identity-providers.ts';
import type { IngestTables } from './tables/ingest.ts';
import type { JobTurnTable } from './tables/job-turns.ts';
import type { PermissionAssignmentTable, TransferRequestTable } from './tables/permissions.ts';
import type { RunningQueryTable } from './tables/running-queries.ts';
import type { ScheduleTables } from './tables/schedules.ts';
import type { WorkbenchTables } from './tables/workbench.ts';

/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>;

/** A person, across workspaces. `email` is kept in lower case. */
export interface AccountTable {
  id: Fixed<string>;
  email: string;
  first_name: string;
  last_name: string;
  /** Null for an account without a password. */
  password_hash: string | null;
  /** The workspace whose administrator chose the password; null once the person has chosen their own. */
  password_chosen_in: Generated<string | null>;
  verified: boolean;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** A sign-in; its id is the `jti` of the token. */
export interface SessionTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  /** Null until the session is bound to a workspace; its person can move it to another. */
  workspace_uid: string | null;
  created_at: Fixed<Date>;
  expires_at: Fixed<Date>;
  revoked_at: Date | null;
  /** The grant to the application that the session belongs to; null for a person's own session. */
  grant_id: ColumnType<string | null, string | null | undefined, never>;
  /** The identity provider link that opened the session; null if none did. */
  identity_id: ColumnType<string | null, string | null | undefined, never>;
  /** The session that it was derived from, and with which it ends; null for others. */
  derived_from: ColumnType<string | null, string | null | undefined, never>;
  /** The credential that limits the person, as `credentialText` writes it; null for a person's own session. */
  credential: ColumnType<string | null, string | null | undefined, never>;
  /** The hash of the secret in the browser's cookie, which alone proves the session; null for a session with a token. */
  cookie_hash: ColumnType<string | null, never, string>;
}

/** `unique_id` is the internal key; `slug` is the id in the API. */
export interface WorkspaceTable {
  unique_id: Fixed<string>;
  slug: Fixed<string>;
  name: string;
  created_by: Fixed<string>;
  /** Whether a write creates the attributes that its labels name and that do not exist. */
  create_attributes_on_write: boolean;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** Slugs of deleted workspaces, which are never used again. */
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
  /** Null while the address has no account; then `email` names it. */
  account_id: string | null;
  email: string | null;
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
  /** In canonical form. Labels refer to it, so it never changes. */
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
  /** The owner: the creator, until ownership is transferred. */
  created_by: string;
  created_at: Fixed<Date>;
  updated_at: Date;
  /** How many labels the dataset has interned; ids run from 0 to one less. */
  label_count: ColumnType<number, number | undefined, number>;
  /** How many paths the dataset has interned; ids run from 0 to one less. */
  path_count: ColumnType<number, number | undefined, number>;
  /** Changes with every change to the paths. */
  path_version: ColumnType<number, number | undefined, number>;
  /** The column labels, as `serializeColumnLabels` writes them. */
  column_labels: ColumnType<string, string | undefined, string>;
  /** Changes with every change to the column labels. */
  column_version: ColumnType<number, number | undefined, number>;
}

/** The columns of a dataset that a person labelled. */
export interface LabelledColumnTable {
  dataset_id: Fixed<string>;
  account_id: Fixed<string>;
  /** The labels that they set, as `serializeColumnLabels` writes them. */
  column_labels: string;
}

/** Datasets whose record table must still be dropped: inserted in the transaction that deletes the dataset. */
export interface PendingDropTable {
  dataset_id: Fixed<string>;
  /** Whether the dataset is being created: then its record table is dropped only if the creation never completes. */
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

/** The distinct labels of a dataset. Unique by hash, since expressions can exceed the size of an index entry. */
export interface DatasetLabelTable {
  dataset_id: Fixed<string>;
  label_id: Fixed<number>;
  expression: Fixed<string>;
  expression_hash: Fixed<string>;
}

/** The distinct paths of a dataset, each with a bit mask of the kinds of its values. */
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
  /** The account that created it; '' unless its state is "made". */
  made_by: string;
  created_at: Fixed<Date>;
}

export interface JobTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  dataset_id: Fixed<string>;
  /** The account that started it; the job runs with that account's current rights. */
  account_id: Fixed<string>;
  type: Fixed<JobType>;
  /** The credential that started it, as `credentialText` writes it; null for a person's own session. */
  credential: Fixed<string | null>;
  /** The grant to the application that started it: once revoked, the job may do nothing more; null for other jobs. */
  grant_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** JSON as text: it may contain what PostgreSQL's jsonb cannot store. */
  config: Fixed<string>;
  /**
   * Lists of fields, as JSON: besides its starter, only readers who can see all fields of one list see the job; null
   * for other jobs.
   */
  about: ColumnType<string | null, string | null | undefined, never>;
  status: JobStatus;
  /** The message of the error, with its name and status in the catalogue; null without one. */
  error: string | null;
  error_name: string | null;
  error_code: number | null;
  stage: ColumnType<number, number | undefined, number>;
  total_stages: Fixed<number>;
  /** Percent. */
  progress: ColumnType<number, number | undefined, number>;
  record_count: number | null;
  /** Number of the attempt; grows with each retry. */
  run: ColumnType<number, number | undefined, number>;
  cancel_asked: ColumnType<boolean, boolean | undefined, boolean>;
  /** Whether it runs until it is stopped. */
  is_endless: ColumnType<boolean, boolean | undefined, never>;
  /** The worker that runs it, and the end of its lease. */
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
  number: ColumnType<number, number | undefined, number>;
  config: string;
  status: JobStatus;
  /** The message of the error, with its name and status in the catalogue; null without one. */
  error: string | null;
  error_name: string | null;
  error_code: number | null;
  stage: ColumnType<number, number | undefined, number>;
  processed_by: string | null;
  upload_id: string | null;
}

/** See the migration `0015-changes`: the sum of all rows differs after every change. */
export interface MetadataChangeTable {
  id: Generated<string>;
  changes: string;
}

/** The metadata database. */
export interface Database
  extends
    ApplicationTables,
    AuditTables,
    BillingTables,
    ConnectionTables,
    IngestTables,
    ScheduleTables,
    WorkbenchTables {
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
  labelled_columns: LabelledColumnTable;
  dataset_paths: DatasetPathTable;
  dataset_indexes: DatasetIndexTable;
  jobs: JobTable;
  job_turns: JobTurnTable;
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
