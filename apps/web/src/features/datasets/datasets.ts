import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { keys } from '../../api/keys.ts';

export const useDatasets = () => useQuery(datasetsQuery);

export const useDataset = (id: string) =>
  useQuery({ queryKey: keys.dataset(id), queryFn: () => api.getDataset({ params: { id } }) });

export const useCreateDataset = (workspaceId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fields: { name: string; description: string }) =>
      api.createDataset({ body: { workspaceId, ...fields } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.datasets }),
  });
};

export const useChangeDataset = (id: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fields: { name: string; description: string }) =>
      api.patchDataset({ params: { id }, body: fields }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.datasets }),
  });
};

export const useDeleteDataset = (id: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.deleteDataset({ params: { id } }),
    onSuccess: () => client.removeQueries({ queryKey: keys.datasets }),
  });
};

const pageSize = 200;

/** The records that match a Lucene expression, page by page; all of them where it is empty. */
export const useRecords = (datasetId: string, search: string) =>
  useInfiniteQuery({
    queryKey: keys.records(datasetId, search),
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api.queryLucene(
        {
          body: {
            datasetId,
            expression: search === '' ? '*:*' : search,
            limit: pageSize,
            offset: pageParam,
          },
        },
        { signal },
      ),
    getNextPageParam: (page, _pages, offset) => (page.more ? offset + pageSize : undefined),
  });
