import { defaultIntakeLimits, type IntakeLimits } from '../intake/intake-limits.ts';

/** The limits of one statement and of one write. */
export interface StoreLimits extends IntakeLimits {
  /** Seconds that a search, a count or a page may take. */
  querySeconds: number;
  /** Seconds that a response of any length may take, including the time of a slow reader. */
  streamSeconds: number;
  /** Bytes of memory of one statement. */
  queryMemoryBytes: number;
  /** Bytes of memory of the whole engine, if known: a write that can never fit is rejected at once. */
  engineMemoryBytes: number;
  /** Bytes of rows from several writes that share one insert. */
  gatheredBytes: number;
  /** The approximate bytes of a page of a file with typed columns; two pages are in memory. */
  tablePageBytes: number;
  /** Records of one range of `splits`; more if there would be more than `maxSplits` ranges. */
  splitRecords: number;
  maxSplits: number;
  /** From how many datasets on a summary uses copies of the small ones. */
  summaryCopiesFrom: number;
}

/** The limits of a store where `RecordStoreDeps` sets no others. */
export const defaultStoreLimits: StoreLimits = {
  ...defaultIntakeLimits,
  querySeconds: 30,
  streamSeconds: 3600,
  queryMemoryBytes: 1_000_000_000,
  engineMemoryBytes: Infinity,
  gatheredBytes: 32_000_000,
  tablePageBytes: 16_000_000,
  splitRecords: 100_000,
  maxSplits: 256,
  summaryCopiesFrom: 20,
};
