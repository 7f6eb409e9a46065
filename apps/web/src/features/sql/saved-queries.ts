import type { SavedQuery } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

/** The saved queries of the person, by name. */
export const useSavedQueries = () =>
  useQuery({
    queryKey: keys.savedQueries,
    queryFn: () => api.listSavedQueries({ query: { $limit: -1, $sort: { name: 1 } } }),
  });

/** One saved query, in its current version. */
export const fetchSavedQuery = (id: string): Promise<SavedQuery> => api.getSavedQuery({ params: { id } });

interface Save {
  name: string;
  text: string;
  /** The saved query to change; absent to create one. */
  saved?: { id: string; version: number } | undefined;
}

export const useSaveQuery = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, text, saved }: Save) =>
      saved === undefined
        ? api.createSavedQuery({ body: { name, text } })
        : api.patchSavedQuery({ params: { id: saved.id }, body: { version: saved.version, text } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.savedQueries }),
  });
};

export const useDeleteQuery = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.deleteSavedQuery({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.savedQueries }),
  });
};
