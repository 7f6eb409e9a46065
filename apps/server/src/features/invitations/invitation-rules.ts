import type { WorkspaceRole } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import { createHash } from 'node:crypto';
import type { AuditEvent } from '../../platform/audit/index.ts';

/** The token has 256 random bits, so a plain hash cannot be reversed by guessing. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const eventOf = (
  description: string,
  { id, role }: { id: string; role: WorkspaceRole },
): AuditEvent => ({
  type: 'UserManagement',
  description,
  details: { invitationId: id, role },
});

/** The same error for tokens that are wrong, used, expired or for another person. */
export const invalidTokenError = (): RedoubtError =>
  new RedoubtError(
    'NotFoundError',
    'There is no open invitation for you with this token. Ask the admin for a new one.',
  );
