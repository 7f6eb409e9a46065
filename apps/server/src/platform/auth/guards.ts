import { forbidden, notFound } from '@redoubt/errors';
import type { Member, Person } from './actor.ts';

/**
 * Checks a `workspaceId` that a request names. Workspaces other than that of the session do not exist for the actor.
 * @throws NotFoundError 404 for another workspace
 */
export const requireOwnWorkspace = (actor: Member, workspaceId: string | undefined): void => {
  if (workspaceId !== undefined && workspaceId !== actor.workspace.slug) {
    throw notFound('workspace', workspaceId);
  }
};

/**
 * Rejects sessions through the identity provider of a workspace in calls about the whole account: the operator of that
 * provider could sign in as anybody.
 * @throws ForbiddenError 403 for such a session
 */
export const requireWholeAccount = ({ isConfined }: Person): void => {
  if (isConfined === true) {
    throw forbidden(
      'This call concerns your whole account, but you signed in through the identity provider of one workspace. Sign in with your password or through a provider of the server.',
    );
  }
};

/**
 * Checks a `userId` that a request names as the owner of what it creates.
 * @throws ForbiddenError 403 for the id of another person
 */
export const requireOwnUserId = (actor: Member, userId: string | undefined): void => {
  if (userId !== undefined && userId !== actor.accountId) {
    throw forbidden(
      `userId must be your own id "${actor.accountId}", got "${userId}". Send your own id or leave it out.`,
    );
  }
};

/**
 * Checks the fields of a PATCH that cannot change. They may be sent with their current values, because clients send
 * whole objects back.
 * @param fixed the fields that cannot change, with their current values
 * @throws ForbiddenError 403 naming the first one with another value
 */
export const refuseChanges = (
  fixed: Readonly<Record<string, string | null>>,
  sent: Readonly<Record<string, unknown>>,
): void => {
  for (const [field, value] of Object.entries(fixed)) {
    const wanted = sent[field];
    if (wanted !== undefined && wanted !== value) {
      const [from, to] = [JSON.stringify(value), JSON.stringify(wanted)];
      throw forbidden(`${field} cannot be changed from ${from}, got ${to}. Leave it out, or send ${from}.`);
    }
  }
};
