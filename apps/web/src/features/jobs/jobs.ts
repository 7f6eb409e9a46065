import type { Job } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

const pollMilliseconds = 1000;
const pageSize = 100;

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** The id of the person who is signed in. */
const fetchOwnId = async (client: QueryClient): Promise<string> =>
  client.fetchQuery({
    queryKey: keys.ownId,
    queryFn: async () => {
      const { email } = await api.getMe();
      const { data } = await api.listUsers({ query: { email } });
      return data[0]?.id ?? '';
    },
    staleTime: Infinity,
  });

/** The jobs that the person started, newest first. Polls while the page is visible. */
export const useJobs = () => {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.ownJobs,
    queryFn: async () => {
      const userId = await fetchOwnId(client);
      return api.listJobs({ query: { userId, $limit: pageSize, $sort: { createdAt: -1 } } });
    },
    refetchInterval: pollMilliseconds,
    refetchIntervalInBackground: false,
  });
};

/** One job. Polls until the job has ended, while the page is visible. */
export const useJob = (id: string) =>
  useQuery({
    queryKey: keys.ownJob(id),
    queryFn: () => api.getJob({ params: { id } }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isOpen(state.data) ? pollMilliseconds : false,
    refetchIntervalInBackground: false,
  });

/** The newest segments of a job. */
export const useSegments = (job: Job) =>
  useQuery({
    queryKey: [...keys.ownJob(job.id), 'segments', job.status],
    queryFn: () =>
      api.listSegments({
        query: { datasetId: job.datasetId, jobId: job.id, $sort: { number: -1 }, $limit: pageSize },
      }),
    refetchInterval: isOpen(job) ? pollMilliseconds : false,
    refetchIntervalInBackground: false,
  });

/** Cancels or retries a job. */
export const useChangeJob = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: 'canceled' | 'queued' }) =>
      api.patchJob({ params: { id }, body: { status } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.ownJobs }),
  });
};
