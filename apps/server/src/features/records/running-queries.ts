import { createHash } from 'node:crypto';
import { notFound, RedoubtError } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import { isSingleProcess, type Db } from '../../platform/db/database.ts';
import type { Ids } from '../../platform/runtime.ts';
import { createRunningQueryRepository, type RunningQueryRepository } from './running-queries.repository.ts';

/** The queries that people have named and that run: in this process, and in others on the same database. */
export interface RunningQueries {
  /**
   * Names a query of the actor's own.
   * @returns aborted once the query is cancelled, and what takes the name back
   */
  start(actor: Member, searchId: string): Promise<{ signal: AbortSignal; end: () => void }>;
  /**
   * Stops the actor's own queries of that name; those of other processes stop within a second.
   * @throws RedoubtError 404 where none runs; whether somebody else has one makes no difference
   */
  cancel(actor: Member, searchId: string): Promise<void>;
}

const hashOf = (actor: Member, searchId: string): string => {
  const whose = [actor.workspace.uniqueId, actor.accountId, credentialText(actor.credential)];
  return createHash('sha256')
    .update(JSON.stringify([...whose, searchId]))
    .digest('hex');
};

/** How often a process that runs named queries asks whether another was told to cancel one. */
const lookEveryMs = 500;
/** Every so many looks it says that it is alive. */
const looksPerSign = 10;

export const createRunningQueries = ({ db, ids }: { db: Db; ids: Ids }): RunningQueries => {
  /** By their ids. */
  const running = new Map<string, { nameHash: string; cancel: () => void }>();
  const shared = isSingleProcess(db) ? undefined : createRunningQueryRepository(db);
  const process = ids.uuid();
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  let looking: Promise<void> | undefined;

  const look = async (repository: RunningQueryRepository): Promise<void> => {
    looks += 1;
    if (looks % looksPerSign === 0) await repository.keep([...running.keys()]);
    for (const id of await repository.cancelled(process)) running.get(id)?.cancel();
  };
  /** Looks for as long as a named query runs, once at a time. */
  const watch = (): void => {
    if (shared === undefined || timer !== undefined) return;
    timer = setInterval(() => {
      // A look that fails is followed by another.
      looking ??= look(shared)
        .catch(() => undefined)
        .finally(() => (looking = undefined));
    }, lookEveryMs).unref();
  };
  const rest = (): void => {
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    start: async (actor, searchId) => {
      const nameHash = hashOf(actor, searchId);
      const id = ids.uuid();
      const controller = new AbortController();
      const cancel = (): void =>
        controller.abort(new RedoubtError('QueryError', `The query "${searchId}" was cancelled.`));
      running.set(id, { nameHash, cancel });
      watch();
      const end = (): void => {
        if (!running.delete(id)) return;
        rest();
        // What stays there is too old to count after some seconds.
        shared?.remove(id).catch(() => undefined);
      };
      try {
        await shared?.add({ id, process, nameHash });
      } catch (fault) {
        end();
        throw fault;
      }
      return { signal: controller.signal, end };
    },
    cancel: async (actor, searchId) => {
      const nameHash = hashOf(actor, searchId);
      const here = [...running.values()].filter((query) => query.nameHash === nameHash);
      for (const { cancel } of here) cancel();
      const elsewhere = (await shared?.cancelElsewhere(process, nameHash)) ?? 0;
      if (here.length + elsewhere === 0) throw notFound('query', searchId);
    },
  };
};
