import type { AuditActor } from '../../platform/audit/index.ts';
import type { RequestOrigin } from '../../platform/auth/actor.ts';

/** Who acts by a link: the person whose account it is for, in no workspace. */
export const linkAuditActor = (
  account: { id: string; email: string },
  origin: RequestOrigin,
): AuditActor => ({
  accountId: account.id,
  email: account.email,
  workspace: undefined,
  origin,
});
