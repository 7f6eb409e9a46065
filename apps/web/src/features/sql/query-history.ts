import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

const pageSize = 100;

export const useQueryHistory = () =>
  useInfiniteQuery({
    queryKey: keys.queryHistory,
    queryFn: ({ pageParam }) =>
      api.listQueryHistory({ query: { $limit: pageSize, $skip: pageParam, $sort: { startedAt: -1 } } }),
    initialPageParam: 0,
    getNextPageParam: ({ total, skip, data }) =>
      skip + data.length < total ? skip + data.length : undefined,
  });

/** The text of a run of the person; undefined if the history no longer contains it. */
export const fetchRunText = async (id: string): Promise<string | undefined> =>
  (await api.listQueryHistory({ query: { id } })).data[0]?.text;

export const useClearHistory = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.deleteQueryHistory(),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.queryHistory }),
  });
};
