import { notFound, RedoubtError } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';

/** The queries that people have named and that run in this process. */
export interface RunningQueries {
  /**
   * Names a query of the actor's own.
   * @returns aborted once the query is cancelled, and what takes the name back
   */
  start(actor: Member, searchId: string): { signal: AbortSignal; end: () => void };
  /**
   * Stops the actor's own queries of that name.
   * @throws RedoubtError 404 where none runs; whether somebody else has one makes no difference
   */
  cancel(actor: Member, searchId: string): void;
}

const keyOf = (actor: Member, searchId: string): string =>
  JSON.stringify([actor.workspace.uniqueId, actor.accountId, credentialText(actor.credential), searchId]);

export const createRunningQueries = (): RunningQueries => {
  const running = new Map<string, Set<AbortController>>();

  return {
    start: (actor, searchId) => {
      const key = keyOf(actor, searchId);
      const controller = new AbortController();
      const named = running.get(key) ?? new Set();
      running.set(key, named.add(controller));
      return {
        signal: controller.signal,
        end: () => {
          named.delete(controller);
          if (named.size === 0 && running.get(key) === named) running.delete(key);
        },
      };
    },
    cancel: (actor, searchId) => {
      const named = running.get(keyOf(actor, searchId));
      if (named === undefined) throw notFound('query', searchId);
      for (const controller of named) {
        controller.abort(new RedoubtError('QueryError', `The query "${searchId}" was cancelled.`));
      }
    },
  };
};
