import type { ColumnLabels, VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Plan } from './plan.ts';
import type { Held } from './random-labels.ts';

/** A statement over these few rows that takes longer fails the test, however busy the machine is. */
export const maxStatementMilliseconds = 300_000;

/** A record store whose clock and randomness are reset to the same values before every step. */
export interface World {
  readonly store: RecordStore;
  /** Sets the column labels of a dataset. */
  labelColumns(datasetId: string, labels: ColumnLabels): void;
  visible(datasetId: string, held: Held): Promise<VisibleLabels>;
  /** The sorted ids of all records visible with these attributes. */
  ids(datasetId: string, held: Held): Promise<string[]>;
  begin(step: string, time: number): void;
}

/** The datasets and records of a plan in both worlds. */
export interface Built {
  readonly held: Held;
  /** Dataset ids by table name. */
  readonly datasets: ReadonlyMap<string, string>;
  /** By table: the ids of visible records; and below, the ids of hidden records in the second world. */
  readonly visibleIds: ReadonlyMap<string, readonly string[]>;
  readonly hiddenIds: ReadonlyMap<string, readonly string[]>;
}

export interface TwoStores {
  /** The first world has the visible records; the second has the hidden ones, too. */
  readonly worlds: readonly [World, World];
  build(plan: Plan): Promise<Built>;
  drop(built: Built): Promise<void>;
  close(): Promise<void>;
}
