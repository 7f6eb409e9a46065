import type { InternedLabel } from '@redoubt/labels';
import type { KnownPath } from '../intake/path-registry.ts';

/**
 * Assigns ids to the labels and paths of datasets. Ids count from 0 without gaps in each dataset, and never change
 * their meaning.
 */
export interface DatasetCatalog {
  /** The labels from an id on, in the order of their ids. */
  labels(datasetId: string, fromId: number): Promise<InternedLabel[]>;
  /** Returns the ids of canonical labels; new labels get the next ids in the given order. */
  internLabels(datasetId: string, expressions: string[]): Promise<Map<string, number>>;
  /** A number that changes with every change to the paths of a dataset; absent if no other process changes them. */
  pathVersion?(datasetId: string): Promise<number>;
  /** The paths from an id on, in the order of their ids. */
  paths(datasetId: string, fromId: number): Promise<KnownPath[]>;
  /**
   * Returns the ids of paths; new paths get the next ids in the given order, and new kinds are added to known paths.
   */
  internPaths(datasetId: string, paths: { path: string; kinds: number }[]): Promise<Map<string, number>>;
}
