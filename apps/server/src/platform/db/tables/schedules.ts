import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** Starts ingest jobs at set times. */
export interface ScheduleTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  dataset_id: Fixed<string>;
  account_id: Fixed<string>;
  /** The credential that it was created with, as `credentialText` writes it. */
  credential: Fixed<string | null>;
  /** The grant of the application that created it. */
  grant_id: Fixed<string | null>;
  name: string;
  cron: string;
  time_zone: string;
  /** The request of its runs as JSON, sealed. */
  sealed_request: string;
  /** When the request was last changed; null for never. */
  request_changed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The request without its connection, as JSON. */
  request: string;
  /** The source as the creator sees it, as JSON. */
  source: string;
  is_active: boolean;
  mail_on_failure: boolean;
  /** Whether its last run failed, and the creator has got a mail. */
  is_failing: ColumnType<boolean, boolean | undefined, boolean>;
  /** Why the server made it inactive. */
  paused_reason: ColumnType<string | null, string | null | undefined, string | null>;
  next_run_at: Date | null;
  created_at: Fixed<Date>;
  updated_at: Date;
}

export interface ScheduleRunTable {
  id: Fixed<string>;
  schedule_id: Fixed<string>;
  planned_at: Fixed<Date>;
  is_manual: Fixed<boolean>;
  /** `starting` until its job exists, `started` until the end of the job has been noted. */
  state: 'starting' | 'started' | 'ended' | 'failed' | 'canceled' | 'skipped';
  job_id: ColumnType<string | null, string | null | undefined, string>;
  error: ColumnType<string | null, string | null | undefined, string | null>;
  error_name: ColumnType<string | null, string | null | undefined, string | null>;
  error_code: ColumnType<number | null, number | null | undefined, number | null>;
  /** Until then, no other process starts it. */
  lease_until: Date | null;
  ended_at: ColumnType<Date | null, Date | null | undefined, Date>;
}

export interface ScheduleTables {
  schedules: ScheduleTable;
  schedule_runs: ScheduleRunTable;
}
