import type { Job } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

const pollMilliseconds = 1000;

export const hasEnded = (job: Job): boolean => job.endedAt !== null;

/**
 * The messages that were left when a job last read its topics; undefined for other jobs, and before the first part. A part tells
 * it when it has ended, and one is read at a time.
 */
const readLag = async (job: Job): Promise<number | undefined> => {
  if (job.config?.['source'] !== 'KAFKA') return undefined;
  const { data } = await api.listSegments({
    query: { datasetId: job.datasetId, jobId: job.id, $sort: { number: -1 }, $limit: 2 },
  });
  const lag = data.map(({ config }) => config?.['lag']).find((each) => typeof each === 'string');
  return lag === undefined ? undefined : Number(lag);
};

/** A job, and the lag of its topics. Polls every second until the job has ended, except while the page is hidden. */
export const useIngestJob = (jobId: string | undefined) => {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.job(jobId ?? ''),
    enabled: jobId !== undefined,
    queryFn: async () => {
      const id = jobId ?? '';
      const job = await api.getJob({ params: { id } });
      // The record count and fields of the dataset have changed.
      if (hasEnded(job)) void client.invalidateQueries({ queryKey: keys.datasets });
      return { job, messagesLeft: await readLag(job) };
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

/** The sums of a receipt. */
export const useReceiptSums = (jobId: string, isEnded: boolean) =>
  useQuery({
    queryKey: [...keys.job(jobId), 'sums'],
    enabled: isEnded,
    queryFn: () => api.getJobReceipt({ params: { id: jobId }, query: { $limit: 0 } }),
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
