import { defaultColumnWidth, maxColumnWidth, minColumnWidth, type GridColumn } from '@redoubt/ui/columns';

/** How a person arranged the columns of a dataset. */
export interface ColumnLayout {
  /** In their order; fields that are not named follow. */
  readonly columns: readonly ArrangedColumn[];
}

interface ArrangedColumn {
  /** Of the name of the field, which may be secret for the next person in this browser. */
  readonly mark: string;
  readonly width?: number;
  readonly isPinned?: boolean;
  readonly isHidden?: boolean;
}

export interface ArrangedField extends GridColumn {
  readonly isHidden: boolean;
}

const layoutVersion = 1;

/** A number for a text, from which the text cannot be found. */
export const markOf = (text: string): string => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return ((high >>> 0) * 4096 + ((low >>> 0) % 4096)).toString(36);
};

/** Applies a layout to the columns of a schema. */
export const arrangeColumns = (
  columns: readonly GridColumn[],
  layout: ColumnLayout,
  salt: string,
): ArrangedField[] => {
  const places = new Map(layout.columns.map((column, at) => [column.mark, { ...column, at }]));
  const placed = columns.map((column, at) => {
    const own = places.get(markOf(`${salt} ${column.name}`));
    return {
      ...column,
      width: own?.width ?? defaultColumnWidth,
      isPinned: own?.isPinned ?? false,
      isHidden: own?.isHidden ?? false,
      at: own?.at ?? layout.columns.length + at,
    };
  });
  return placed
    .toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned) || a.at - b.at)
    .map(({ at: _at, ...column }) => column);
};

/** The layout of columns as they are arranged. */
export const layoutOf = (columns: readonly ArrangedField[], salt: string): ColumnLayout => ({
  columns: columns.map(({ name, width = defaultColumnWidth, isPinned = false, isHidden }) => ({
    mark: markOf(`${salt} ${name}`),
    ...(width !== defaultColumnWidth && { width: Math.round(width) }),
    ...(isPinned && { isPinned }),
    ...(isHidden && { isHidden }),
  })),
});

const toColumn = (value: unknown): ArrangedColumn[] => {
  if (typeof value !== 'object' || value === null || !('mark' in value)) return [];
  const { mark, width, isPinned, isHidden } = value as Partial<Record<keyof ArrangedColumn, unknown>>;
  if (typeof mark !== 'string') return [];
  const isWidth = typeof width === 'number' && width >= minColumnWidth && width <= maxColumnWidth;
  return [
    {
      mark,
      ...(isWidth && { width }),
      ...(isPinned === true && { isPinned }),
      ...(isHidden === true && { isHidden }),
    },
  ];
};

/** Reads a stored layout. One of another version, or that was damaged, counts as none. */
export const parseLayout = (text: string | null): ColumnLayout => {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    const isCurrent =
      typeof stored === 'object' &&
      stored !== null &&
      'version' in stored &&
      stored.version === layoutVersion &&
      'columns' in stored &&
      Array.isArray(stored.columns);
    return { columns: isCurrent ? (stored.columns as unknown[]).flatMap(toColumn) : [] };
  } catch {
    return { columns: [] };
  }
};

export const printLayout = ({ columns }: ColumnLayout): string =>
  JSON.stringify({ version: layoutVersion, columns });
