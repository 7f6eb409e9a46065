import type { Db } from '../db/database.ts';
import { resealSecrets } from './resealing.repository.ts';
import type { SealedColumn } from './sealed-columns.ts';
import type { SecretBox } from './secret-box.ts';
import type { SecretKeys } from './secret-keys.ts';

/** The result of a key rotation. */
export interface Rotation {
  /** Number of secrets that were encrypted again. */
  resealed: number;
  /** Whether the server created the new key; else it is the first key of the setting SECRETS_KEY. */
  madeKey: boolean;
}

/**
 * Creates a new key if the keys are in the data folder, encrypts all secrets with the newest key, and then deletes the
 * older keys. An interrupted rotation loses nothing, as all keys stay until every secret is encrypted again.
 */
export const rotateSecrets = async (deps: {
  db: Db;
  keys: SecretKeys;
  box: SecretBox;
  columns: readonly SealedColumn[];
}): Promise<Rotation> => {
  const madeKey = deps.keys.renew();
  const resealed = await resealSecrets(deps.db, deps.box, deps.columns);
  deps.keys.forgetOld();
  return { resealed, madeKey };
};
