import {
  compileSummaryCopySearch,
  maxLabelsPerCopy,
  type CopyVisibility,
  type PathCatalog,
} from '@redoubt/query';
import { RedoubtError } from '@redoubt/errors';
import type { SortedPaths, VisibleLabels } from '@redoubt/labels';
import type { SummaryCopies } from './summary-copies.ts';
import { queryConcurrently } from './summary-statements.ts';

/** A search of one dataset, which runs on its table or on a copy. */
export interface DatasetSearch {
  datasetId: string;
  visible: VisibleLabels;
  /** The predicate for rows, from `compileUnfilteredPredicate`. */
  match: string;
  paths: PathCatalog;
}

/** The matches in one dataset: the first rows, each of which starts with its position. */
export interface DatasetMatches {
  datasetId: string;
  total: number;
  rows: readonly string[];
  hidden: SortedPaths;
}

type CopiedPart = DatasetSearch & CopyVisibility;

/** How many labels of copies one statement may contain. */
const labelsOfStatement = 20_000;

/**
 * Searches the datasets that have a copy, with one statement for all that share a condition.
 * @returns the search of the copies, and the parts that must be searched in their own tables
 */
export async function searchSummaryCopies(
  copies: SummaryCopies,
  parts: readonly DatasetSearch[],
  { limit, run }: { limit: number; run: (sql: string) => Promise<string> },
): Promise<{ search: () => Promise<DatasetMatches[]>; others: DatasetSearch[] }> {
  const few = parts.filter(({ visible }) => visible.ids.length <= maxLabelsPerCopy);
  const copied = await copies.find(few.map(({ datasetId }) => datasetId));
  const chosen = few.flatMap((part) => {
    const copy = copied.get(part.datasetId);
    return copy === undefined ? [] : [{ ...part, copy }];
  });
  const withCopy = new Set(chosen.map(({ datasetId }) => datasetId));
  const others = parts.filter(({ datasetId }) => !withCopy.has(datasetId));
  return { search: async () => search(copies, chosen, limit, run), others };
}

async function search(
  copies: SummaryCopies,
  parts: readonly CopiedPart[],
  limit: number,
  run: (sql: string) => Promise<string>,
): Promise<DatasetMatches[]> {
  const { table } = copies;
  const writer = copies.writer();
  const statements = groupsOf(parts).map(({ match, sights }) =>
    compileSummaryCopySearch({ table, writer, copies: sights, match, limit }),
  );
  const found = await queryConcurrently(statements, run).catch((error: unknown) => {
    if (!(error instanceof RedoubtError)) copies.forget();
    throw error;
  });
  return parts.flatMap(({ datasetId, visible: { hidden }, copy }) => {
    const rows = (found.get(copy) ?? []).map((row) => {
      const end = row.indexOf('\t');
      return { total: Number(row.slice(0, end)), row: row.slice(end + 1) };
    });
    const [first] = rows;
    return first === undefined
      ? []
      : [{ datasetId, total: first.total, rows: rows.map(({ row }) => row), hidden }];
  });
}

/** Groups parts with the same condition, as many as one statement can contain. */
function groupsOf(parts: readonly CopiedPart[]): { match: string; sights: readonly CopyVisibility[] }[] {
  const groups: { match: string; sights: CopyVisibility[]; labels: number }[] = [];
  const open = new Map<string, (typeof groups)[number]>();
  for (const part of parts) {
    const labels = part.visible.ids.length;
    let group = open.get(part.match);
    if (group === undefined || group.labels + labels > labelsOfStatement) {
      group = { match: part.match, sights: [], labels: 0 };
      open.set(part.match, group);
      groups.push(group);
    }
    group.sights.push(part);
    group.labels += labels;
  }
  return groups;
}
