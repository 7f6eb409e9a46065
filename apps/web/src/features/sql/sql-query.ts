import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../api/client.ts';

export interface SqlRun {
  readonly text: string;
  readonly limit: number;
}

/** Runs statements, one at a time; `cancel` ends the running one on the server. */
export const useSqlRun = () => {
  const running = useRef<string>(undefined);
  const run = useMutation({
    mutationFn: async ({ text, limit }: SqlRun) => {
      const searchId = crypto.randomUUID();
      running.current = searchId;
      const start = performance.now();
      const result = await api.query({ body: { expression: text, limit, searchId } });
      return {
        ...result,
        total: result.total ?? result.records.length,
        limit,
        milliseconds: Math.round(performance.now() - start),
      };
    },
  });
  const cancel = async (): Promise<void> => {
    if (running.current !== undefined) await api.cancelQuery({ params: { searchId: running.current } });
  };
  return { run, cancel };
};
