import { hashOfKey, keyIdLength } from '../../platform/auth/key.repository.ts';
import type { Random } from '../../platform/runtime.ts';

/** Random bytes of the secret part of a key. */
const secretBytes = 32;
/** Random bytes of the key id: enough for `keyIdLength` characters in base64url. */
const keyIdBytes = 6;

/** Generates a key. Only its id (the first characters) and its hash are stored; the secret part has 256 random bits. */
export const generateApiKey = (random: Random): { key: string; keyId: string; keyHash: string } => {
  const keyId = random.bytes(keyIdBytes).toString('base64url').slice(0, keyIdLength);
  const key = keyId + random.bytes(secretBytes).toString('base64url');
  return { key, keyId, keyHash: hashOfKey(key) };
};
