import { unauthenticated } from '@redoubt/errors';
import type { KeyRepository } from '../../platform/auth/key.repository.ts';
import type { OpenSession, SignedSession } from '../../platform/auth/open-session.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { SignInRequest } from './credentials.ts';

/** Opens a session for an API key. It always has the scope of the key, and ends with the key. */
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
    const isElsewhere = workspaceId !== undefined && workspaceId !== found?.member.workspace.slug;
    const signed =
      found === undefined || isElsewhere
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
      'The API key is not valid, has expired, was revoked, or belongs to another workspace. Use another key.',
    );
  };
