import type { Db } from '../db/database.ts';
import type { Credential, Person } from './actor.ts';
import { createKeyRepository, type KeyRepository } from './key.repository.ts';
import { createFindActiveApplication, type FindActiveApplication } from './active-application.repository.ts';

/** Somebody by what they came, whatever their session. */
export type AuthenticatedPerson = Omit<Person, 'sessionId'>;

/**
 * Cuts somebody down to what the credential by which they came gives them at this moment.
 * @param person as they are by themselves, with that credential
 * @returns undefined where the credential counts for nothing any more
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
    const { accountId, email, workspace, credential, narrowing } = key.member;
    const isOf = accountId === person.accountId && workspace.uniqueId === person.workspace?.uniqueId;
    return isOf ? { accountId, email, workspace, credential, narrowing } : undefined;
  };

  /** People let it be what it was then: one that is of another type since is not what they meant. */
  const byApplication = async (
    person: AuthenticatedPerson,
    { applicationId, type }: Credential & { kind: 'application' },
  ): Promise<AuthenticatedPerson | undefined> => {
    if (person.workspace === undefined) return undefined;
    const application = await findApplication(applicationId, person.workspace.uniqueId, person.accountId);
    if (application?.type !== type) return undefined;
    const tokens = type === 'sls' ? [] : undefined;
    return { ...person, narrowing: { groupIds: undefined, tokens, datasets: application.datasets } };
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
