import type { ApplicationGrant, ListQuery } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { Person } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Clock } from '../../platform/runtime.ts';
import { grantRevokedEvent } from './grant-events.ts';
import type { GrantListRepository } from './grant.repository.ts';
import type { OAuthRepository } from './oauth.repository.ts';

export interface GrantService {
  list(actor: Person, list: ListQuery): Promise<Page<ApplicationGrant>>;
  /** Revokes the grant with all its tokens. */
  remove(actor: Person, id: string): Promise<ApplicationGrant>;
}

export const createGrantService = ({
  grants,
  audited,
  workspaceUidOf,
  clock,
}: {
  grants: GrantListRepository;
  audited: AuditedChange<Pick<OAuthRepository, 'revokeGrant'>>;
  workspaceUidOf: OAuthRepository['workspaceUidOf'];
  clock: Clock;
}): GrantService => ({
  list: (actor, list) => grants.list(actor, clock.now(), list),
  remove: async (actor, id) => {
    const now = clock.now();
    const grant = await grants.find(actor, now, id);
    const uniqueId = await workspaceUidOf(id);
    if (grant === undefined || uniqueId === undefined) throw notFound('permission of an application', id);
    // The event belongs to the workspace of the application, wherever the person is signed in.
    const author = { ...actor, workspace: { uniqueId } };
    const isRevoked = await audited(
      author,
      (wasRevoked) => (wasRevoked ? grantRevokedEvent(grant, 'by its user') : undefined),
      (repository) => repository.revokeGrant(id, now),
    );
    if (!isRevoked) throw notFound('permission of an application', id);
    return grant;
  },
});
