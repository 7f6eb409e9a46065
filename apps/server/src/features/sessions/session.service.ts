import type { ListQuery, Session } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { Person } from '../../platform/auth/actor.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { SessionListRepository } from './session-list.repository.ts';

export interface SessionService {
  list(actor: Person, list: ListQuery): Promise<Page<Session>>;
  /** Ends the session at once. */
  remove(actor: Person, id: string): Promise<Session>;
}

export const createSessionService = ({
  list,
  sessions,
  clock,
}: {
  list: SessionListRepository;
  sessions: Pick<SessionRepository, 'revoke'>;
  clock: Clock;
}): SessionService => ({
  list: (actor, query) => list.list(actor, clock.now(), query),
  remove: async (actor, id) => {
    const now = clock.now();
    const session = await list.find(actor, now, id);
    if (session === undefined) throw notFound('session', id);
    await sessions.revoke(id, now);
    return session;
  },
});
