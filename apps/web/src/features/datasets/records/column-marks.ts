import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';
import { fromBase64Url } from '../../../parts/base64.ts';

/** Stands for a text in the storage of this browser. Only the person can tell which text it is. */
export type Mark = (text: string) => Promise<string>;

/** @param secret from `GET /me/draft-key`; it is kept in memory alone */
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
