import { hashOfKey, keyIdLength } from '../../platform/auth/key.repository.ts';
import type { Random } from '../../platform/runtime.ts';

/** Bytes of what makes a key secret, beside its first characters. */
const secretBytes = 32;
/** Bytes that give at least the characters by which a key is found. */
const keyIdBytes = 6;

/** A key, of which only its first characters and its hash are kept. The rest alone is 256 bits that nobody can guess. */
export const generateApiKey = (random: Random): { key: string; keyId: string; keyHash: string } => {
  const keyId = random.bytes(keyIdBytes).toString('base64url').slice(0, keyIdLength);
  const key = keyId + random.bytes(secretBytes).toString('base64url');
  return { key, keyId, keyHash: hashOfKey(key) };
};
