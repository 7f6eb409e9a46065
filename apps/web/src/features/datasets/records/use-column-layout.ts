import type { Dataset, Me } from '@redoubt/contract';
import { toGridColumns } from '@redoubt/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { keys } from '../../../api/keys.ts';
import {
  arrangeColumns,
  layoutOf,
  markOf,
  parseLayout,
  printLayout,
  type ArrangedField,
} from './column-layout.ts';

export interface ColumnArrangement {
  columns: readonly ArrangedField[];
  change: (name: string, fields: Partial<Pick<ArrangedField, 'isHidden' | 'isPinned' | 'width'>>) => void;
  /** Puts a column in front of another one. */
  move: (name: string, before: string) => void;
  reset: () => void;
}

/** The columns of a dataset as the person arranged them in this browser. */
export const useColumnLayout = (dataset: Dataset): ColumnArrangement => {
  const client = useQueryClient();
  const person = client.getQueryData<Me | null>(keys.me)?.email ?? '';
  const salt = `${person} ${dataset.id}`;
  const key = `redoubt-columns-${markOf(salt)}`;
  const [layout, setLayout] = useState(() => parseLayout(localStorage.getItem(key)));
  const columns = useMemo(
    () => arrangeColumns(toGridColumns(dataset.schema), layout, salt),
    [dataset.schema, layout, salt],
  );
  const store = useCallback(
    (next: readonly ArrangedField[]): void => {
      const arranged = layoutOf(next, salt);
      localStorage.setItem(key, printLayout(arranged));
      setLayout(arranged);
    },
    [key, salt],
  );
  return {
    columns,
    change: (name, fields) =>
      store(columns.map((column) => (column.name === name ? { ...column, ...fields } : column))),
    move: (name, before) => {
      const moved = columns.find((column) => column.name === name);
      if (moved === undefined || name === before) return;
      const others = columns.filter((column) => column !== moved);
      const at = others.findIndex((column) => column.name === before);
      if (at === -1) return;
      const isPinned = others[at]?.isPinned ?? false;
      store(others.toSpliced(at, 0, { ...moved, isPinned }));
    },
    reset: () => {
      localStorage.removeItem(key);
      setLayout({ columns: [] });
    },
  };
};
