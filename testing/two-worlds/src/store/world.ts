import type { ColumnLabels, VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Plan } from './plan.ts';
import type { Held } from './random-labels.ts';

/** Milliseconds: a statement over these few rows that takes longer is a fault of its own, however busy the machine is. */
export const maxStatementMilliseconds = 300_000;

/** A record store whose clock and randomness start anew, and alike, with every step. */
export interface World {
  readonly store: RecordStore;
  /** Gives the columns of a dataset labels, from now on. */
  labelColumns(datasetId: string, labels: ColumnLabels): void;
  visible(datasetId: string, held: Held): Promise<VisibleLabels>;
  /** The ids of all records that these attributes show, in their order. */
  ids(datasetId: string, held: Held): Promise<string[]>;
  begin(step: string, time: number): void;
}

/** The datasets of a plan in both worlds, and what lies in them. */
export interface Built {
  readonly held: Held;
  /** Ids by the name of the table. */
  readonly datasets: ReadonlyMap<string, string>;
  /** By table: what the reader sees, and what there is besides in the second world. */
  readonly visibleIds: ReadonlyMap<string, readonly string[]>;
  readonly hiddenIds: ReadonlyMap<string, readonly string[]>;
}

export interface TwoStores {
  /** The first holds what the reader sees; the second holds what is hidden, too. */
  readonly worlds: readonly [World, World];
  build(plan: Plan): Promise<Built>;
  drop(built: Built): Promise<void>;
  close(): Promise<void>;
}
