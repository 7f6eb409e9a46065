import type { Clock } from '../runtime.ts';
import type { Member, Person } from './actor.ts';
import type { KeyRepository } from './key.repository.ts';
import type { SessionRepository } from './session.repository.ts';

/**
 * Authenticates the actor of a running request again with the same credential, so that changes of their rights apply.
 * @returns undefined if the credential is no longer valid, or now belongs to another workspace
 */
export type ReauthenticateActor = (actor: CredentialOf) => Promise<Member | undefined>;

/** The part of an actor that names the credential. */
export interface CredentialOf extends Pick<Member, 'credential' | 'sessionId'> {
  workspace: Pick<Member['workspace'], 'uniqueId'>;
}

export const createReauthenticateActor =
  ({
    sessions,
    keys,
    clock,
  }: {
    sessions: Pick<SessionRepository, 'findLive'>;
    keys: Pick<KeyRepository, 'find'>;
    clock: Clock;
  }): ReauthenticateActor =>
  async (actor) => {
    const now = clock.now();
    const { credential, sessionId } = actor;
    let found: Omit<Person, 'sessionId'> | undefined;
    if (sessionId !== '') found = await sessions.findLive(sessionId, now);
    else if (credential.kind === 'key') found = (await keys.find(credential.keyId, now))?.member;
    const workspace = found?.workspace;
    return found === undefined || workspace?.uniqueId !== actor.workspace.uniqueId
      ? undefined
      : { ...found, sessionId, workspace };
  };
