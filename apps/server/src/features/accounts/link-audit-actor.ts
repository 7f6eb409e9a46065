import type { AuditActor } from '../../platform/audit/index.ts';
import type { RequestOrigin } from '../../platform/auth/actor.ts';

/** The audit actor of a request with a link: the owner of the account, in no workspace. */
export const linkAuditActor = (
  account: { id: string; email: string },
  origin: RequestOrigin,
): AuditActor => ({
  accountId: account.id,
  email: account.email,
  workspace: undefined,
  origin,
});
