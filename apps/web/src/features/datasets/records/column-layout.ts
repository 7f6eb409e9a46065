import type { GridColumn } from '@redoubt/ui/columns';

/** The differences between the columns as a person arranged them and the schema of the dataset. */
export interface ColumnLayout {
  /** The columns that differ from the schema, in their order in the table. */
  readonly columns: readonly ArrangedColumn[];
}

interface ArrangedColumn {
  readonly name: string;
  readonly width?: number;
  readonly isPinned?: boolean;
  readonly isHidden?: boolean;
  /** For a column that was moved: the name of the next column, or null if it is the last. */
  readonly before?: string | null;
}

export interface ArrangedField extends GridColumn {
  readonly isHidden: boolean;
}

const layoutVersion = 2;

const pinnedFirst = <T extends GridColumn>(columns: readonly T[]): T[] =>
  columns.toSorted((a, b) => Number(b.isPinned ?? false) - Number(a.isPinned ?? false));

/** Applies a layout to the columns of a schema. */
export const arrangeColumns = (columns: readonly GridColumn[], layout: ColumnLayout): ArrangedField[] => {
  const changes = new Map(layout.columns.map((column) => [column.name, column]));
  let arranged = pinnedFirst(
    columns.map((column) => {
      const { width, isPinned = false, isHidden = false } = changes.get(column.name) ?? {};
      return { ...column, ...(width !== undefined && { width }), isPinned, isHidden };
    }),
  );
  // Starting from the last column, the column that `before` names is always in its place already.
  for (const { name, before } of layout.columns.toReversed()) {
    const moved = arranged.find((column) => column.name === name);
    if (moved === undefined || before === undefined) continue;
    const others = arranged.filter((column) => column !== moved);
    const at = before === null ? others.length : others.findIndex((column) => column.name === before);
    if (at !== -1) arranged = others.toSpliced(at, 0, moved);
  }
  return pinnedFirst(arranged);
};

interface Run {
  readonly place: number;
  readonly previous: Run | undefined;
}

/** A longest increasing subsequence of the places. Its columns need no `before`, so few columns are stored as moved. */
const stayingPlaces = (places: readonly number[]): ReadonlySet<number> => {
  // For each length, the increasing run that ends with the lowest place.
  const runs: Run[] = [];
  for (const place of places) {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((runs[middle]?.place ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    runs[low] = { place, previous: runs[low - 1] };
  }
  const staying = new Set<number>();
  for (let run = runs.at(-1); run !== undefined; run = run.previous) staying.add(run.place);
  return staying;
};

/**
 * The layout that turns the columns of the schema into these columns.
 * @param schema the columns in the order of the schema
 */
export const layoutOf = (
  columns: readonly ArrangedField[],
  schema: readonly Pick<GridColumn, 'name'>[],
): ColumnLayout => {
  const arranged = pinnedFirst(columns);
  const own = new Map(arranged.map((column) => [column.name, column]));
  const first = pinnedFirst(schema.flatMap(({ name }) => own.get(name) ?? []));
  const placeOf = new Map(first.map(({ name }, place) => [name, place]));
  const places = arranged.map(({ name }) => placeOf.get(name) ?? 0);
  const staying = stayingPlaces(places);
  const changed = arranged.map(({ name, width, isPinned = false, isHidden }, at): ArrangedColumn => ({
    name,
    ...(width !== undefined && { width: Math.round(width) }),
    ...(isPinned && { isPinned }),
    ...(isHidden && { isHidden }),
    ...(!staying.has(places[at] ?? 0) && { before: arranged[at + 1]?.name ?? null }),
  }));
  return { columns: changed.filter((column) => Object.keys(column).length > 1) };
};

/** Renames the columns of a layout. Columns that are not in `names` are left out. */
export const renameColumns = (
  { columns }: ColumnLayout,
  names: ReadonlyMap<string, string>,
): ColumnLayout => ({
  columns: columns.flatMap(({ name, before, ...column }) => {
    const next = names.get(name);
    if (next === undefined) return [];
    const anchor = typeof before === 'string' ? names.get(before) : before;
    return [{ name: next, ...column, ...(anchor !== undefined && { before: anchor }) }];
  }),
});

/** The limits of the width of a column, in pixels. */
interface WidthLimits {
  readonly min: number;
  readonly max: number;
}

const toColumn = (value: unknown, { min, max }: WidthLimits): ArrangedColumn[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { name, width, isPinned, isHidden, before } = value as Partial<Record<keyof ArrangedColumn, unknown>>;
  if (typeof name !== 'string') return [];
  const isWidth = typeof width === 'number' && width >= min && width <= max;
  return [
    {
      name,
      ...(isWidth && { width }),
      ...(isPinned === true && { isPinned }),
      ...(isHidden === true && { isHidden }),
      ...((typeof before === 'string' || before === null) && { before }),
    },
  ];
};

/** Parses a stored layout. An invalid one or one of another version gives the empty layout. */
export const parseLayout = (text: string | null, limits: WidthLimits): ColumnLayout => {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    const isCurrent =
      typeof stored === 'object' &&
      stored !== null &&
      'version' in stored &&
      stored.version === layoutVersion &&
      'columns' in stored &&
      Array.isArray(stored.columns);
    return {
      columns: isCurrent ? (stored.columns as unknown[]).flatMap((column) => toColumn(column, limits)) : [],
    };
  } catch {
    return { columns: [] };
  }
};

export const printLayout = ({ columns }: ColumnLayout): string =>
  JSON.stringify({ version: layoutVersion, columns });
