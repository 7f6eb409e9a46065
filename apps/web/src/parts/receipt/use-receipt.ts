import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

const filesAtOnce = 100;
const pollMilliseconds = 1000;

interface ReceiptOptions {
  isEnabled: boolean;
  /** Whether the job still runs, so that the receipt changes. */
  isRunning: boolean;
}

/** The receipt of an ingest job: its sums, and its files page by page. */
export const useReceipt = (jobId: string, { isEnabled, isRunning }: ReceiptOptions) =>
  useInfiniteQuery({
    queryKey: [...keys.job(jobId), 'receipt', isRunning],
    enabled: isEnabled,
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.getJobReceipt({ params: { id: jobId }, query: { $limit: filesAtOnce, $skip: pageParam } }),
    getNextPageParam: ({ files, fileCount }, _pages, skip) => {
      const shown = skip + files.length;
      return files.length > 0 && shown < fileCount ? shown : undefined;
    },
    refetchInterval: isRunning ? pollMilliseconds : false,
    refetchIntervalInBackground: false,
    select: ({ pages }) => ({
      files: pages.flatMap(({ files }) => files),
      fileCount: pages.at(-1)?.fileCount ?? 0,
    }),
  });

export type LoadedReceipt = ReturnType<typeof useReceipt>;
