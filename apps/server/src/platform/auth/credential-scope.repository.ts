import type { Db } from '../db/database.ts';
import type { Credential, Person } from './actor.ts';
import { createKeyRepository, type KeyRepository } from './key.repository.ts';
import { createFindActiveApplication, type FindActiveApplication } from './active-application.repository.ts';

/** A requester without the id of their session. */
export type AuthenticatedPerson = Omit<Person, 'sessionId'>;

/**
 * Limits a person to the current scope of their credential.
 * @param person the person with their own rights, and the credential
 * @returns undefined if the credential is no longer valid
 */
export type ApplyCredentialScope = (
  person: AuthenticatedPerson,
  now: Date,
) => Promise<AuthenticatedPerson | undefined>;

export const createApplyCredentialScope = (
  db: Db,
  keys: Pick<KeyRepository, 'find'> = createKeyRepository(db),
  findApplication: FindActiveApplication = createFindActiveApplication(db),
): ApplyCredentialScope => {
  const byKey = async (
    person: AuthenticatedPerson,
    keyId: string,
    now: Date,
  ): Promise<AuthenticatedPerson | undefined> => {
    const key = await keys.find(keyId, now);
    if (key === undefined) return undefined;
    const { accountId, email, workspace, credential, scope } = key.member;
    const isSameActor = accountId === person.accountId && workspace.uniqueId === person.workspace?.uniqueId;
    return isSameActor ? { accountId, email, workspace, credential, scope } : undefined;
  };

  /**
   * Limits the person to the scope of an application. They consented to an application of this type: if its type has
   * changed since, the grant no longer applies.
   */
  const byApplication = async (
    person: AuthenticatedPerson,
    { applicationId, type }: Credential & { kind: 'application' },
  ): Promise<AuthenticatedPerson | undefined> => {
    if (person.workspace === undefined) return undefined;
    const application = await findApplication(applicationId, person.workspace.uniqueId, person.accountId);
    if (application?.type !== type) return undefined;
    const tokens = type === 'sls' ? [] : undefined;
    return { ...person, scope: { groupIds: undefined, tokens, datasets: application.datasets } };
  };

  return async (person, now) => {
    switch (person.credential.kind) {
      case 'session':
        return person;
      case 'key':
        return byKey(person, person.credential.keyId, now);
      case 'application':
        return byApplication(person, person.credential);
    }
  };
};
