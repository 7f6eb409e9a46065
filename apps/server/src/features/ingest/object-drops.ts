import type { ObjectStore } from '../../platform/files/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { ObjectDropRepository } from './object-drops.repository.ts';

/** Deletes files to which no upload refers any more, or never did. */
export interface ObjectDrops {
  announce(objectName: string): Promise<void>;
  /** Deletes files that were announced. */
  giveUp(objectNames: readonly string[]): Promise<void>;
  /** Deletes what is to be deleted. A failure is logged, and the file tried again next time. */
  drain(): Promise<void>;
  /** Deletes what is to be deleted, and files of processes that died while they received them. */
  expire(): Promise<void>;
  /** For the start of the server: as `drain`, and for files whose receiving was broken off. */
  recover(): Promise<void>;
}

/** Where other processes receive files as well, one that was announced so long ago is received no more. */
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
