import type { Job, Segment } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { lastLag, type KnownLag } from './lag.ts';

const pollMilliseconds = 1000;

export const hasEnded = (job: Job): boolean => job.endedAt !== null;

/**
 * The lag of a job that reads topics; undefined for other jobs. A job without an end has ever more segments, so all of them are
 * read once, and then only those that were open.
 */
const readLag = async (job: Job, before: KnownLag | undefined): Promise<KnownLag | undefined> => {
  if (job.config?.['source'] !== 'KAFKA') return undefined;
  const list = async (filter: object): Promise<readonly Segment[]> =>
    (await api.listSegments({ query: { datasetId: job.datasetId, jobId: job.id, $limit: -1, ...filter } }))
      .data;
  if (before === undefined) return lastLag(await list({}), before);
  const open = await list({ status: { $in: ['queued', 'running'] } });
  const closed = before.open.length === 0 ? [] : await list({ id: { $in: before.open } });
  return lastLag([...closed, ...open], before);
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
      const before = client.getQueryData<{ lag: KnownLag | undefined }>(keys.job(id));
      // The record count and fields of the dataset have changed.
      if (hasEnded(job)) void client.invalidateQueries({ queryKey: keys.datasets });
      return { job, lag: await readLag(job, before?.lag) };
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
