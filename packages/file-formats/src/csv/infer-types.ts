import { isCanonicalNumber } from '../columns/typed-values.ts';
import type { SampleRecord } from './sample-record.ts';

/** For each column, whether it is stored as numbers. */
export interface InferredTypes {
  readonly isNumber: readonly boolean[];
  /** Whether quotes say nothing of a cell's type, because all cells have them. */
  readonly isAllQuoted: boolean;
}

/**
 * A column is one of numbers when all its cells in the sample are canonical numbers without quotes. Where a file quotes all
 * its cells, quotes say nothing.
 */
export function inferTypes(sample: readonly SampleRecord[], width: number): InferredTypes {
  // Rows with another number of cells are rejected later.
  const records = sample.filter(({ cells }) => cells.length === width);
  const isAllQuoted =
    records.length > 0 &&
    records.every(({ cells, quoted }) =>
      cells.every((text, index) => text === '' || quoted?.[index] === true),
    );
  const isNumber = Array.from({ length: width }, (_, index) => {
    const cells = records.filter((record) => (record.cells[index] ?? '') !== '');
    return (
      cells.length > 0 &&
      cells.every(
        ({ cells, quoted }) =>
          isCanonicalNumber(cells[index] ?? '') && (isAllQuoted || quoted?.[index] !== true),
      )
    );
  });
  return { isNumber, isAllQuoted };
}
