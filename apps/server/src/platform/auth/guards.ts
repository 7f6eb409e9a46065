import { forbidden, notFound } from '@redoubt/errors';
import type { Member, Person } from './actor.ts';

/** @throws NotFoundError 404 for a `workspaceId` other than the session's: others do not exist for the actor. */
export const requireOwnWorkspace = (actor: Member, workspaceId: string | undefined): void => {
  if (workspaceId !== undefined && workspaceId !== actor.workspace.slug) {
    throw notFound('workspace', workspaceId);
  }
};

/** @throws ForbiddenError 403 for a session by the provider of a workspace, as whoever runs that could name anybody. */
export const requireWholeAccount = ({ isConfined }: Person): void => {
  if (isConfined === true) {
    throw forbidden(
      'This is about your whole account, and you have signed in by a provider of one workspace: sign in with your password, or by a provider of the server.',
    );
  }
};

/** @throws ForbiddenError 403 for a `userId` that would make something in the name of somebody else. */
export const requireOwnUserId = (actor: Member, userId: string | undefined): void => {
  if (userId !== undefined && userId !== actor.accountId) {
    throw forbidden(`userId: "${userId}" was sent. Leave it out, or send your own id "${actor.accountId}".`);
  }
};

/**
 * Clients send whole objects back in a PATCH, so fields that cannot be changed may be there as they are.
 * @param fixed the fields that stay, with their present values
 * @throws ForbiddenError 403 naming the first that would change
 */
export const refuseChanges = (
  fixed: Readonly<Record<string, string | null>>,
  sent: Readonly<Record<string, unknown>>,
): void => {
  for (const [field, value] of Object.entries(fixed)) {
    const wanted = sent[field];
    if (wanted !== undefined && wanted !== value) {
      const [from, to] = [JSON.stringify(value), JSON.stringify(wanted)];
      throw forbidden(`${field}: ${to} was sent, and it cannot be changed. Leave it out, or send ${from}.`);
    }
  }
};
