import type { RowFilter, RowSort } from '@redoubt/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { api } from '../../../api/client.ts';
import { onReconnect } from '../../../api/connection.ts';
import { keys } from '../../../api/keys.ts';
import { createRowPages, type RowPages, type RowPagesState } from './row-pages.ts';

/** Which records of a dataset are shown: a search and filters. */
export interface Selection {
  readonly datasetId: string;
  readonly q: string;
  readonly filters: readonly RowFilter[];
}

const bodyOf = ({ q, filters }: Selection) => ({
  ...(q !== '' && { lucene: q }),
  ...(filters.length > 0 && { filters: [...filters] }),
});

/** The rows of a table. `refresh` loads them again, including records that were written since; `version` counts that. */
export const useRowPages = (
  selection: Selection,
  sort: readonly RowSort[],
): { pages: RowPages; state: RowPagesState; isWaiting: boolean; version: number; refresh: () => void } => {
  const [version, setVersion] = useState(0);
  const { datasetId } = selection;
  const query = JSON.stringify({ ...bodyOf(selection), sort });
  const pages = useMemo(
    () =>
      createRowPages(
        (body, signal) => api.readRows({ params: { id: datasetId }, body }, { signal }),
        JSON.parse(query) as ReturnType<typeof bodyOf> & { sort: RowSort[] },
      ),
    // `refresh` changes the version, which creates new pages.
    [datasetId, query, version],
  );
  useEffect(() => () => pages.close(), [pages]);
  const state = useSyncExternalStore(pages.subscribe, pages.state);
  // The old rows stay until the first rows of a new query have arrived.
  const isWaiting = state.total === undefined && state.error === null;
  const [last, setLast] = useState(state);
  if (!isWaiting && state !== last) setLast(state);
  const refresh = useCallback(() => setVersion((old) => old + 1), []);
  // An empty table has no rows that could move under the reader, so it shows the first records at once.
  const hasFirstRecords = state.isStale && state.total === 0;
  useEffect(() => {
    if (hasFirstRecords) refresh();
  }, [hasFirstRecords, refresh]);
  useEffect(
    () =>
      onReconnect(() => {
        if (pages.state().error !== null) refresh();
      }),
    [pages, refresh],
  );
  return { pages, state: isWaiting ? last : state, isWaiting, version, refresh };
};

const profilesAtOnce = 20;

/**
 * The profiles of the fields in view. The requested fields start at a multiple of ten, so that scrolling seldom changes
 * the request.
 */
export const useProfiles = (
  selection: Selection,
  fields: readonly string[],
  firstColumn: number,
  isEnabled: boolean,
) => {
  const from = Math.floor(firstColumn / (profilesAtOnce / 2)) * (profilesAtOnce / 2);
  const chosen = fields.slice(from, from + profilesAtOnce);
  return useQuery({
    queryKey: keys.profiles(selection.datasetId, { ...bodyOf(selection), fields: chosen }),
    enabled: isEnabled && chosen.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      api.profileFields(
        { params: { id: selection.datasetId }, body: { ...bodyOf(selection), fields: [...chosen] } },
        { signal },
      ),
  });
};

/** The most frequent values of a field among the records that match the filters of other fields. */
export const useValues = (selection: Selection, field: string, prefix: string, isEnabled: boolean) => {
  const others = { ...selection, filters: selection.filters.filter((filter) => filter.field !== field) };
  const body = { ...bodyOf(others), field, limit: 10, ...(prefix !== '' && { prefix }) };
  return useQuery({
    queryKey: keys.values(selection.datasetId, body),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: ({ signal }) => api.listValues({ params: { id: selection.datasetId }, body }, { signal }),
  });
};

/** One record with all its values and its label; null if it is not visible to the person. */
export const useRecord = (datasetId: string, recordId: string) =>
  useQuery({
    queryKey: keys.record(datasetId, recordId),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const expression = `SELECT * FROM "${datasetId}" WHERE _koverse_record_id = '${recordId.replaceAll("'", "''")}'`;
      const body = { expression, limit: 1, countTotal: false, includeInternalFields: true };
      const { records } = await api.query({ body }, { signal });
      return records[0] ?? null;
    },
  });
