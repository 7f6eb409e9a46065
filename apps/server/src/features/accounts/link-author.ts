import type { Author } from '../../platform/audit/index.ts';
import type { Origin } from '../../platform/auth/actor.ts';

/** Who acts by a link: the person whose account it is for, in no workspace. */
export const linkAuthor = (account: { id: string; email: string }, origin: Origin): Author => ({
  accountId: account.id,
  email: account.email,
  workspace: undefined,
  origin,
});
