import { createChdbOperations } from './operations.ts';

/** One call of an operation, and its answer, as they go between the processes. */
export interface Call {
  id: number;
  operation: string;
  args: unknown[];
}
export interface Reply {
  id: number;
  value?: unknown;
  fault?: string;
}

const operations = createChdbOperations() as unknown as Record<
  string,
  (...args: unknown[]) => Promise<unknown>
>;

process.on('message', ({ id, operation, args }: Call) => {
  const send = (reply: Omit<Reply, 'id'>): void => void process.send?.({ id, ...reply });
  Promise.resolve(operations[operation]?.(...args)).then(
    (value) => send({ value }),
    (fault: unknown) =>
      send({ fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }),
  );
});
