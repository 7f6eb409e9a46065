import type { SchedulePatch, ScheduleRun } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

const pollMilliseconds = 2000;
/** The maximum number of runs that are shown. */
const maxRuns = 100;

/** The schedules that the person created, and those on datasets that they manage. Polls while the page is visible. */
export const useSchedules = () =>
  useQuery({
    queryKey: keys.schedules,
    queryFn: () => api.listSchedules({ query: { $limit: -1, $sort: { name: 1 } } }),
    refetchInterval: pollMilliseconds * 5,
    refetchIntervalInBackground: false,
  });

export const useSchedule = (id: string) =>
  useQuery({
    queryKey: keys.schedule(id),
    queryFn: () => api.getSchedule({ params: { id } }),
    refetchInterval: pollMilliseconds * 5,
    refetchIntervalInBackground: false,
  });

const isOpen = ({ status }: Pick<ScheduleRun, 'status'>): boolean =>
  status === 'starting' || status === 'queued' || status === 'running';

/** The newest runs of a schedule. Polls while one of them is open. */
export const useScheduleRuns = (id: string) =>
  useQuery({
    queryKey: keys.scheduleRuns(id),
    queryFn: () =>
      api.listScheduleRuns({ params: { id }, query: { $limit: maxRuns, $sort: { plannedAt: -1 } } }),
    refetchInterval: ({ state }) =>
      state.data?.data.some(isOpen) === true ? pollMilliseconds : pollMilliseconds * 5,
    refetchIntervalInBackground: false,
  });

export const usePatchSchedule = (id: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SchedulePatch) => api.patchSchedule({ params: { id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.schedules }),
  });
};

export const useRunSchedule = (id: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.runSchedule({ params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.schedules }),
  });
};

export const useDeleteSchedule = (id: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.deleteSchedule({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.schedules, exact: true }),
  });
};
