import { createHash } from 'node:crypto';
import { notFound, RedoubtError } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import { isSingleProcess, type Db } from '../../platform/db/database.ts';
import type { Ids } from '../../platform/runtime.ts';
import { createRunningQueryRepository, type RunningQueryRepository } from './running-queries.repository.ts';

/** The error of a query that its requester cancelled. */
export class QueryCancelledError extends RedoubtError {
  constructor(searchId: string) {
    super('QueryError', `The query "${searchId}" was cancelled.`);
  }
}

/** Running queries that have a name, in this process and in others on the same database. */
export interface RunningQueries {
  /**
   * Registers a query of the actor under a name.
   * @returns `signal`, which aborts when the query is cancelled, and `end`, which removes the name
   */
  start(actor: Member, searchId: string): Promise<{ signal: AbortSignal; end: () => void }>;
  /**
   * Cancels the actor's own queries with that name; those in other processes stop within a second.
   * @throws RedoubtError 404 if the actor runs none, whether or not another person runs one with that name
   */
  cancel(actor: Member, searchId: string): Promise<void>;
}

const hashOf = (actor: Member, searchId: string): string => {
  const owner = [actor.workspace.uniqueId, actor.accountId, credentialText(actor.credential)];
  return createHash('sha256')
    .update(JSON.stringify([...owner, searchId]))
    .digest('hex');
};

/** How often a process with named queries polls for cancellations from other processes. */
const pollIntervalMs = 500;
/** After this many polls the process marks its queries as still running. */
const pollsPerHeartbeat = 10;

export const createRunningQueries = ({ db, ids }: { db: Db; ids: Ids }): RunningQueries => {
  /** Keyed by query id. */
  const running = new Map<string, { nameHash: string; cancel: () => void }>();
  const shared = isSingleProcess(db) ? undefined : createRunningQueryRepository(db);
  const process = ids.uuid();
  let timer: NodeJS.Timeout | undefined;
  let polls = 0;
  let pendingPoll: Promise<void> | undefined;

  const poll = async (repository: RunningQueryRepository): Promise<void> => {
    polls += 1;
    if (polls % pollsPerHeartbeat === 0) await repository.keep([...running.keys()]);
    for (const id of await repository.cancelled(process)) running.get(id)?.cancel();
  };
  /** Polls while a named query runs, never twice at once. */
  const startPolling = (): void => {
    if (shared === undefined || timer !== undefined) return;
    timer = setInterval(() => {
      // After a failure the next tick polls again.
      pendingPoll ??= poll(shared)
        .catch(() => undefined)
        .finally(() => (pendingPoll = undefined));
    }, pollIntervalMs).unref();
  };
  const stopWhenIdle = (): void => {
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    start: async (actor, searchId) => {
      const nameHash = hashOf(actor, searchId);
      const id = ids.uuid();
      const controller = new AbortController();
      const cancel = (): void => controller.abort(new QueryCancelledError(searchId));
      running.set(id, { nameHash, cancel });
      startPolling();
      const end = (): void => {
        if (!running.delete(id)) return;
        stopWhenIdle();
        // If this fails, the row expires after 30 seconds.
        shared?.remove(id).catch(() => undefined);
      };
      try {
        await shared?.add({ id, process, nameHash });
      } catch (error) {
        end();
        throw error;
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
