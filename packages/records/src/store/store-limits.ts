import { defaultIntakeLimits, type IntakeLimits } from '../intake/intake-limits.ts';

/** Bounds of one statement, and of one write. */
export interface StoreLimits extends IntakeLimits {
  /** Seconds that a search, a count or a page may take. */
  querySeconds: number;
  /** Seconds that an answer of any length may take, its reader's slowness included. */
  streamSeconds: number;
  /** Bytes of memory of one statement. */
  queryMemoryBytes: number;
  /** Bytes of memory of the whole engine, where that is known: a write that can never fit in is refused at once. */
  engineMemoryBytes: number;
  /** Bytes of rows that one insert gathers from several writes. */
  gatheredBytes: number;
  /** Bytes that a page of a file of typed columns is likely to have; two of them are in memory. */
  tablePageBytes: number;
  /** Records of one range of `splits`; more where that would make more than `maxSplits`. */
  splitRecords: number;
  maxSplits: number;
  /** Datasets of one summary from which on it is answered from copies of the small ones. */
  summaryCopiesFrom: number;
}

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
