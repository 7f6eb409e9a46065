import type { Dataset } from '@redoubt/contract';
import { toGridColumns } from '@redoubt/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { arrangeColumns, layoutOf, type ArrangedField, type ColumnLayout } from './column-layout.ts';
import { marksQuery } from './column-marks.ts';
import { hasStoredLayouts, openStoredLayout, type StoredLayout } from './stored-layouts.ts';

export interface ColumnArrangement {
  columns: readonly ArrangedField[];
  /** False until the stored layout has been read. */
  isLoaded: boolean;
  change: (name: string, fields: Partial<Pick<ArrangedField, 'isHidden' | 'isPinned' | 'width'>>) => void;
  /** Moves the column `name` in front of the column `before`. */
  move: (name: string, before: string) => void;
  reset: () => void;
}

const noLayout: ColumnLayout = { columns: [] };

/**
 * The columns of a dataset as the person arranged them in this browser. If the browser has no storage, the arrangement
 * is lost with the page.
 */
export const useColumnLayout = ({ id, schema: fields }: Dataset): ColumnArrangement => {
  const client = useQueryClient();
  const schema = useMemo(() => toGridColumns(fields), [fields]);
  const [layout, setLayout] = useState(() => (hasStoredLayouts() ? undefined : noLayout));
  const columns = useMemo(() => arrangeColumns(schema, layout ?? noLayout), [schema, layout]);
  const isLoaded = layout !== undefined;
  const latest = useRef<ColumnLayout>(noLayout);
  const stored = useRef<StoredLayout>(undefined);

  const openStored = useCallback(async (): Promise<StoredLayout> => {
    const mark = await client.fetchQuery(marksQuery);
    const names = schema.map(({ name }) => name);
    return openStoredLayout(mark, id, names);
  }, [client, id, schema]);

  // The stored layout must be opened again when the columns change, because it knows their names.
  useEffect(() => {
    stored.current = undefined;
  }, [openStored]);

  useEffect(() => {
    if (isLoaded) return undefined;
    let isGone = false;
    const load = async (): Promise<ColumnLayout> => {
      const opened = await openStored();
      if (!isGone) stored.current = opened;
      return opened.read();
    };
    void load()
      .catch(() => noLayout)
      .then((found) => (isGone ? undefined : setLayout((changed) => changed ?? found)));
    return () => {
      isGone = true;
    };
  }, [openStored, isLoaded]);

  const store = useCallback(
    (next: ColumnLayout): void => {
      latest.current = next;
      setLayout(next);
      const write = async (): Promise<void> => {
        stored.current ??= await openStored();
        stored.current.write(latest.current);
      };
      write().catch(() => undefined);
    },
    [openStored],
  );
  return {
    columns,
    isLoaded,
    change: (name, change) =>
      store(
        layoutOf(
          columns.map((column) => (column.name === name ? { ...column, ...change } : column)),
          schema,
        ),
      ),
    move: (name, before) => {
      const moved = columns.find((column) => column.name === name);
      if (moved === undefined || name === before) return;
      const others = columns.filter((column) => column !== moved);
      const at = others.findIndex((column) => column.name === before);
      if (at === -1) return;
      const isPinned = others[at]?.isPinned ?? false;
      store(layoutOf(others.toSpliced(at, 0, { ...moved, isPinned }), schema));
    },
    reset: () => store(noLayout),
  };
};
