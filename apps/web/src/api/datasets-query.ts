import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { keys } from './keys.ts';

/** All datasets that are visible to the person, by name. */
export const datasetsQuery = queryOptions({
  queryKey: keys.datasets,
  queryFn: () => api.listDatasets({ query: { $limit: -1, $sort: { name: 1 } } }),
});
