import { unauthenticated } from '@redoubt/errors';
import type { KeyRepository } from '../../platform/auth/key.repository.ts';
import type { OpenSession, SignedSession } from '../../platform/auth/open-session.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { SignInRequest } from './credentials.ts';

/** A session for an API key: as narrow as the key at every moment, and no longer than it. */
export const createKeySignIn =
  ({
    keys,
    openSession,
    clock,
  }: {
    keys: Pick<KeyRepository, 'findByKey'>;
    openSession: OpenSession;
    clock: Clock;
  }) =>
  async ({ key, workspaceId }: SignInRequest & { strategy: 'key' }): Promise<SignedSession> => {
    const createdAt = clock.now();
    const found = await keys.findByKey(key, createdAt);
    const elsewhere = workspaceId !== undefined && workspaceId !== found?.member.workspace.slug;
    const signed =
      found === undefined || elsewhere
        ? undefined
        : await openSession(
            {
              account: { id: found.member.accountId, email: found.member.email },
              workspaceUid: found.member.workspace.uniqueId,
              createdAt,
              endsAt: found.expiresAt ?? undefined,
              credential: found.member.credential,
            },
            { keyId: found.keyId },
          );
    if (signed !== undefined) return signed;
    throw unauthenticated(
      'The API key is not valid, has expired, was revoked, or is of another workspace: use another.',
    );
  };
