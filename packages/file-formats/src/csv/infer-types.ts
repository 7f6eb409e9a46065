import { isCanonicalNumber } from '../columns/typed-values.ts';
import type { SampleRecord } from './detect-header.ts';

/** For each column, whether it is stored as numbers. */
export interface InferredTypes {
  readonly isNumber: readonly boolean[];
  /** Whether all cells are quoted, so that quotes do not mean that a cell is text. */
  readonly isAllQuoted: boolean;
}

/**
 * Infers which columns are numbers: those whose cells in the sample are all canonical numbers without quotes. In a file
 * that quotes all cells, quotes are ignored.
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
