import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { keys } from '../../api/keys.ts';

export const useDatasets = () => useQuery(datasetsQuery);

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
