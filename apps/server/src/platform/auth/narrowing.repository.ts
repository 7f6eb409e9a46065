import type { Db } from '../db/database.ts';
import type { Person } from './actor.ts';
import { createKeyRepository, type KeyRepository } from './key.repository.ts';

/** Somebody by what they came, whatever their session. */
export type Bearer = Omit<Person, 'sessionId'>;

/**
 * Cuts somebody down to what the credential by which they came gives them at this moment.
 * @param person as they are by themselves, with that credential
 * @returns undefined where the credential counts for nothing any more
 */
export type Narrow = (person: Bearer, now: Date) => Promise<Bearer | undefined>;

export const createNarrow = (db: Db, keys: Pick<KeyRepository, 'find'> = createKeyRepository(db)): Narrow => {
  const byKey = async (person: Bearer, keyId: string, now: Date): Promise<Bearer | undefined> => {
    const key = await keys.find(keyId, now);
    if (key === undefined) return undefined;
    const { accountId, email, workspace, credential, narrowing } = key.member;
    const isOf = accountId === person.accountId && workspace.uniqueId === person.workspace?.uniqueId;
    return isOf ? { accountId, email, workspace, credential, narrowing } : undefined;
  };

  return async (person, now) => {
    switch (person.credential.kind) {
      case 'session':
        return person;
      case 'key':
        return byKey(person, person.credential.keyId, now);
      case 'application':
        return undefined;
    }
  };
};
