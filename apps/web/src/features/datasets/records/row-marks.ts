import type { RowsPage } from '@redoubt/contract';
import type { GridCells, GridRowData, TextRange } from '@redoubt/ui';
import { markPlaces, type Place } from '../../../parts/marks/mark-places.ts';

/** What a search matched in the cells of a row; undefined if that is nothing. */
const marksOf = ({ cells, cut }: GridCells, places: readonly Place[]): GridCells['marks'] => {
  const marks: Record<string, readonly TextRange[]> = {};
  for (const name of new Set(places.map(({ path: [first] }) => first))) {
    if (typeof name !== 'string' || !Object.hasOwn(cells, name)) continue;
    // A truncated list or object is the beginning of its JSON, so places inside it have no position there.
    const own = cut.includes(name) ? places.filter(({ path }) => path.length === 1) : places;
    const { text, ranges } = markPlaces(cells[name], [name], own);
    const inText = ranges.filter(({ from }) => from < text.length);
    if (inText.length > 0) marks[name] = inText;
  }
  return Object.keys(marks).length === 0 ? undefined : marks;
};

/**
 * Adds to the rows of a page what a search matched in them.
 * @param found the same rows, with highlights
 */
export const withMarks = (rows: readonly GridRowData[], found: RowsPage['rows']): readonly GridRowData[] => {
  const places = new Map(found.map((one) => [one?.id, one?.highlights?.places]));
  return rows.map((row) => {
    if (typeof row !== 'object' || !('id' in row)) return row;
    const marks = marksOf(row, places.get(row.id as string) ?? []);
    return marks === undefined ? row : { ...row, marks };
  });
};

/** The fields with marks in some of the rows. */
export const markedFieldsOf = (rows: readonly GridRowData[]): ReadonlySet<string> =>
  new Set(rows.flatMap((row) => (typeof row === 'object' ? Object.keys(row.marks ?? {}) : [])));
