import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';
import { fromBase64Url } from '../../../parts/base64.ts';

/**
 * Replaces a text by a keyed hash for the storage of this browser. Without the key, which only the person gets, nobody
 * can find out the text.
 */
export type Mark = (text: string) => Promise<string>;

/**
 * Creates the function that hashes texts with a key that is derived from the secret.
 * @param secret from `GET /me/draft-key`; keep it only in memory
 */
const openMarks = async (secret: string): Promise<Mark> => {
  const bytes = fromBase64Url(secret);
  const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  bytes.fill(0);
  const info = new TextEncoder().encode('redoubt column layouts');
  const key = await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    root,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  );
  return async (text) => {
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(mac)));
  };
};

export const marksQuery = queryOptions({
  queryKey: keys.columnMarks,
  queryFn: async () => openMarks((await api.getDraftKey()).key),
  staleTime: Infinity,
  gcTime: Infinity,
});
