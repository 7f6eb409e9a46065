import type { Job } from '@redoubt/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';

const pollMilliseconds = 2000;

/**
 * The newest import into a dataset that is queued or running, if the person may see it; null if there is none. Polls
 * while there is one.
 * @param onProgress called when the import may have stored records since the last call
 */
export const useRunningImport = (datasetId: string, onProgress: () => void) => {
  const client = useQueryClient();
  const queryKey = keys.runningImport(datasetId);
  return useQuery({
    queryKey,
    retry: false,
    queryFn: async (): Promise<Job | null> => {
      const before = client.getQueryData<Job | null>(queryKey) ?? null;
      const { data } = await api.listJobs({
        query: {
          datasetId,
          type: 'ingest',
          status: { $in: ['queued', 'running'] },
          $limit: 1,
          $sort: { createdAt: -1 },
        },
      });
      const [job = null] = data;
      if (job !== null || before !== null) {
        onProgress();
        // The number of records and the fields of the dataset change with its records.
        void client.invalidateQueries({ queryKey: keys.dataset(datasetId), exact: true });
      }
      return job;
    },
    refetchInterval: ({ state }) => (state.data === null ? false : pollMilliseconds),
  });
};
