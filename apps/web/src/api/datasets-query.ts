import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import { keys } from './keys.ts';

/** All datasets that are visible to the person, by name. */
export const datasetsQuery = queryOptions({
  queryKey: keys.datasets,
  queryFn: () => api.listDatasets({ query: { $limit: -1, $sort: { name: 1 } } }),
});

/** A dataset; asks nothing while its id is unknown. */
export const useDataset = (id: string | undefined) =>
  useQuery({
    queryKey: keys.dataset(id ?? ''),
    enabled: id !== undefined,
    queryFn: () => api.getDataset({ params: { id: id ?? '' } }),
  });
