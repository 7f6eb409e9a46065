import type { ListQuery, Session } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { Person } from '../../platform/auth/actor.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { SessionListRepository } from './session-list.repository.ts';

export interface SessionService {
  list(actor: Person, list: ListQuery): Promise<Page<Session>>;
  /** Ends the session immediately. */
  remove(actor: Person, id: string): Promise<Session>;
  /**
   * Moves the session of the request to another workspace of its person.
   * @throws 404 for any other session, and for a workspace that the person does not belong to
   */
  move(actor: Person, id: string, workspaceId: string): Promise<Session>;
}

export const createSessionService = ({
  list,
  workspacesOf,
  audited,
  clock,
}: {
  list: SessionListRepository;
  /** The workspaces that an account can sign in to. */
  workspacesOf: (accountId: string) => Promise<{ uniqueId: string; slug: string }[]>;
  audited: AuditedChange<Pick<SessionRepository, 'revoke' | 'move'>>;
  clock: Clock;
}): SessionService => ({
  list: (actor, query) => list.list(actor, clock.now(), query),
  remove: async (actor, id) => {
    const now = clock.now();
    const session = await list.find(actor, now, id);
    if (session === undefined) throw notFound('session', id);
    const ended = { type: 'Login' as const, description: 'ended a session', details: { sessionId: id } };
    await audited(actor, ended, (sessions) => sessions.revoke(id, now));
    return session;
  },
  move: async (actor, id, workspaceId) => {
    if (id !== actor.sessionId) throw notFound('session', id);
    const workspace = (await workspacesOf(actor.accountId)).find(({ slug }) => slug === workspaceId);
    if (workspace === undefined) throw notFound('workspace', workspaceId);
    const entered = {
      type: 'Login' as const,
      description: 'signed in',
      details: { strategy: 'session', sessionId: id, outcome: 'success' },
    };
    // The event belongs to the workspace that the person enters.
    await audited({ ...actor, workspace }, entered, async (sessions) => {
      if (!(await sessions.move(id, workspace.uniqueId))) throw notFound('workspace', workspaceId);
    });
    const session = await list.find(actor, clock.now(), id);
    if (session === undefined) throw notFound('session', id);
    return session;
  },
});
