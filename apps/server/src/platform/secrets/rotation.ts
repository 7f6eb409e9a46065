import type { Db } from '../db/database.ts';
import { resealSecrets } from './resealing.repository.ts';
import type { SealedColumn } from './sealed-columns.ts';
import type { SecretBox } from './secret-box.ts';
import type { SecretKeys } from './secret-keys.ts';

/** What a change of keys has done. */
export interface Rotation {
  /** How many secrets were sealed anew. */
  resealed: number;
  /** Whether the server made the new key; else it is the first of the setting SECRETS_KEY. */
  madeKey: boolean;
}

/**
 * Makes a new key where the server keeps them itself, seals everything under the newest, and then forgets the older ones.
 * One that is broken off has lost nothing, as all keys stay until all is sealed anew.
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
