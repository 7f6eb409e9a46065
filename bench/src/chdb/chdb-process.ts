import { createChdbOperations } from './operations.ts';

/** A call of an operation and its reply, as sent between the processes. */
export interface Call {
  id: number;
  operation: string;
  args: unknown[];
}
export interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

const operations = createChdbOperations() as unknown as Record<
  string,
  (...args: unknown[]) => Promise<unknown>
>;

process.on('message', ({ id, operation, args }: Call) => {
  const send = (reply: Omit<Reply, 'id'>): void => void process.send?.({ id, ...reply });
  Promise.resolve(operations[operation]?.(...args)).then(
    (value) => send({ value }),
    (error: unknown) =>
      send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
