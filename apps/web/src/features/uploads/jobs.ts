import type { Job } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { lagOf } from './lag.ts';

const pollMilliseconds = 1000;

export const hasEnded = (job: Job): boolean => job.endedAt !== null;

/** A job with the sums of its segments. Polls every second until the job has ended, except while the page is hidden. */
export const useIngestJob = (jobId: string | undefined) => {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.job(jobId ?? ''),
    enabled: jobId !== undefined,
    queryFn: async () => {
      const id = jobId ?? '';
      const job = await api.getJob({ params: { id } });
      const { data: segments } = await api.listSegments({
        query: { datasetId: job.datasetId, jobId: id, $limit: -1 },
      });
      // The record count and fields of the dataset have changed.
      if (hasEnded(job)) void client.invalidateQueries({ queryKey: keys.datasets });
      const sum = (part: 'bytesRead' | 'bytesTotal' | 'recordCount'): number =>
        segments.reduce((all, segment) => all + (segment[part] ?? 0), 0);
      return {
        job,
        bytesRead: sum('bytesRead'),
        bytesTotal: sum('bytesTotal'),
        records: sum('recordCount'),
        lag: lagOf(segments),
      };
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && hasEnded(state.data.job) ? false : pollMilliseconds,
  });
};

/** Cancels a job, or retries one that failed or was canceled. A retry stores no row twice. */
export const useChangeJob = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: 'canceled' | 'queued' }) =>
      api.patchJob({ params: { id }, body: { status } }),
    onSettled: (_job, _error, { id }) => client.invalidateQueries({ queryKey: keys.job(id) }),
  });
};

export const useReceipt = (jobId: string, isEnded: boolean) =>
  useQuery({
    queryKey: [...keys.job(jobId), 'receipt'],
    enabled: isEnded,
    queryFn: () => api.getJobReceipt({ params: { id: jobId } }),
  });

/** The maximum number of rejected rows that are shown. */
export const maxRejectedRows = 100;

export const useRejectedRows = (jobId: string, datasetId: string | undefined) =>
  useQuery({
    queryKey: [...keys.job(jobId), 'rejected'],
    enabled: datasetId !== undefined,
    queryFn: () =>
      api.listRejectedRows({
        query: { datasetId: datasetId ?? '', jobId, $limit: maxRejectedRows, $sort: { row: 1 } },
      }),
  });
