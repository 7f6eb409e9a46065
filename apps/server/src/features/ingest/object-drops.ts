import type { ObjectStore } from '../../platform/files/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { ObjectDropRepository } from './object-drops.repository.ts';

/** Deletes files to which no upload refers any more, or never did. */
export interface ObjectDrops {
  announce(objectName: string): Promise<void>;
  /** Deletes files that were announced. */
  giveUp(objectNames: readonly string[]): Promise<void>;
  /** Deletes the files that are due. A failure is logged, and the next call tries again. */
  drain(): Promise<void>;
  /** Deletes the files that are due, and those of processes that died while receiving them. */
  expire(): Promise<void>;
  /** For the start of the server: as `drain`, and also deletes files whose receipt was interrupted. */
  recover(): Promise<void>;
}

/** With several processes, a file that was announced this long ago is no longer being received. */
const longestReceivingMs = 24 * 60 * 60 * 1000;

export const createObjectDrops = ({
  repository,
  files,
  clock,
  logger,
  shared,
}: {
  repository: ObjectDropRepository;
  files: Pick<ObjectStore, 'delete'>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
  shared: boolean;
}): ObjectDrops => {
  const drain = async (): Promise<void> => {
    for (const name of await repository.list()) {
      try {
        await files.delete(name);
        await repository.remove(name);
      } catch (error) {
        logger.error({ err: error }, 'a file that belongs to no upload is still to be deleted');
      }
    }
  };
  const giveUpBefore = async (ms: number): Promise<void> => {
    await repository.giveUpBefore(new Date(ms));
    await drain();
  };
  return {
    announce: (name) => repository.announce(name, clock.now()),
    giveUp: async (names) => {
      await repository.giveUp(names);
      await drain();
    },
    drain,
    expire: () => giveUpBefore(clock.now().getTime() - longestReceivingMs),
    recover: async () => {
      const now = clock.now().getTime();
      await giveUpBefore(shared ? now - longestReceivingMs : now);
    },
  };
};
