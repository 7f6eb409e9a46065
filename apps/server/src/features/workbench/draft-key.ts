import { hkdfSync } from 'node:crypto';
import type { Member } from '../../platform/auth/actor.ts';

const keyBytes = 32;

/** Derives the key of a person's drafts in a workspace. It changes only with the secret. */
export const deriveDraftKey = (secret: Uint8Array, { accountId, workspace }: Member): string =>
  Buffer.from(
    hkdfSync('sha256', secret, 'redoubt drafts', JSON.stringify([accountId, workspace.uniqueId]), keyBytes),
  ).toString('base64url');
