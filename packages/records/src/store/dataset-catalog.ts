import type { InternedLabel } from '@redoubt/labels';
import type { KnownPath } from '../intake/path-registry.ts';

/**
 * Where labels and paths of datasets get their numbers. Numbers are dense from 0 in each dataset and, once given, keep
 * their meaning for ever.
 */
export interface DatasetCatalog {
  /** Labels from an id on, in the order of ids. */
  labels(datasetId: string, fromId: number): Promise<InternedLabel[]>;
  /** The ids of canonical labels; new labels get the next ids in the order given. */
  internLabels(datasetId: string, expressions: string[]): Promise<Map<string, number>>;
  /** A number that is another one after any change to the paths of a dataset; absent where nobody else changes them. */
  pathVersion?(datasetId: string): Promise<number>;
  /** Paths from an id on, in the order of ids. */
  paths(datasetId: string, fromId: number): Promise<KnownPath[]>;
  /** The ids of paths; new paths get the next ids in the order given, and kinds are added to those known. */
  internPaths(datasetId: string, paths: { path: string; kinds: number }[]): Promise<Map<string, number>>;
}
