import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Pace } from '../pace.ts';
import { waitUntilIdle } from '../process-metrics.ts';
import type { Call, Reply } from './chdb-process.ts';
import type { ChdbOperations } from './operations.ts';

/** The bare engine in its own process. */
export interface Chdb extends ChdbOperations {
  pid(): number;
  waitUntilIdle(): Promise<void>;
  /** Ends the process. */
  stop(): Promise<void>;
}

export function startChdb(pace: Pace): Chdb {
  const child = fork(join(import.meta.dirname, 'chdb-process.ts'), { serialization: 'advanced' });
  const exited = once(child, 'exit');
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;

  child.on('message', ({ id, value, error }: Reply) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(`The engine's process: ${error}`));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error("The engine's process has ended."));
  });

  const call = (operation: string, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++calls;
      waiting.set(id, { resolve, reject });
      child.send({ id, operation, args } satisfies Call);
    });
  const pid = (): number => child.pid ?? 0;
  const own = {
    pid,
    waitUntilIdle: () => waitUntilIdle(pid(), pace),
    async stop(): Promise<void> {
      await call('close', []);
      child.disconnect();
      await exited;
    },
  };
  return new Proxy(own as Chdb, {
    get: (target, name) =>
      name in target ? target[name as keyof Chdb] : (...args: unknown[]) => call(String(name), args),
  });
}
