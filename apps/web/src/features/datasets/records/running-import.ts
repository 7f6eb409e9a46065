import type { Job } from '@redoubt/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';

const pollMilliseconds = 2000;

/**
 * The newest import into a dataset that is queued or running, if the person may see it; null if there is none. Polls
 * while there is one.
 * @param isReading whether rows are being read. Reading them again would cancel that, and with a busy server never end.
 * @param onRefresh reads the rows again, because the import may have stored records
 */
export const useRunningImport = (datasetId: string, isReading: boolean, onRefresh: () => void) => {
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
      // Rows that are read when the import ends may lack its last records.
      if (job === null ? before !== null : !isReading) onRefresh();
      return job;
    },
    refetchInterval: ({ state }) => (state.data === null ? false : pollMilliseconds),
  });
};
