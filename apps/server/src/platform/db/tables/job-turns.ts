import type { ColumnType } from 'kysely';

/** When a job of a person was last claimed, as a number that grows with each claim. */
export interface JobTurnTable {
  account_id: ColumnType<string, string, never>;
  turn: ColumnType<string, undefined, never>;
}
