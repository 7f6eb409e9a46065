import { createHash } from 'node:crypto';
import { notFound, RedoubtError } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import { isOnlyHere, type Db } from '../../platform/db/database.ts';
import type { Ids } from '../../platform/runtime.ts';
import { createRunningQueryRepository } from './running-queries.repository.ts';

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
  /** By the hashes of their names: what cancels each. */
  const running = new Map<string, Set<() => void>>();
  const shared = isOnlyHere(db) ? undefined : createRunningQueryRepository(db);
  const process = ids.uuid();
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;

  const cancelHere = (nameHash: string): boolean => {
    const named = running.get(nameHash);
    for (const cancel of named ?? []) cancel();
    return named !== undefined;
  };
  const look = async (): Promise<void> => {
    looks += 1;
    if (looks % looksPerSign === 0) await shared?.keep(process);
    for (const nameHash of (await shared?.cancelled(process)) ?? []) cancelHere(nameHash);
  };
  /** Looks for as long as a named query runs. */
  const watch = (): void => {
    if (shared === undefined || timer !== undefined) return;
    // A look that fails is followed by another.
    timer = setInterval(() => void look().catch(() => undefined), lookEveryMs).unref();
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
      await shared?.add({ id, process, nameHash });
      const controller = new AbortController();
      const cancel = (): void =>
        controller.abort(new RedoubtError('QueryError', `The query "${searchId}" was cancelled.`));
      const named = running.get(nameHash) ?? new Set();
      running.set(nameHash, named.add(cancel));
      watch();
      return {
        signal: controller.signal,
        end: () => {
          if (!named.delete(cancel)) return;
          if (named.size === 0 && running.get(nameHash) === named) running.delete(nameHash);
          rest();
          // What stays there is removed once it is too old.
          shared?.remove(id).catch(() => undefined);
        },
      };
    },
    cancel: async (actor, searchId) => {
      const nameHash = hashOf(actor, searchId);
      const isHere = cancelHere(nameHash);
      const elsewhere = (await shared?.cancelElsewhere(process, nameHash)) ?? 0;
      if (!isHere && elsewhere === 0) throw notFound('query', searchId);
    },
  };
};
