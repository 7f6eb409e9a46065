import type { FastifyReply, FastifyRequest } from 'fastify';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaTypeOf } from './media-types.ts';
import { negotiateEncoding, suffixOf, type ContentEncoding } from './content-encoding.ts';
import { pagePolicy } from './page-policy.ts';
import type { SiteManifest } from './site-manifest.ts';
import { addVary } from './vary.ts';

/** Files whose names change with what is in them. */
const hashedName = /^assets\/.*[-.][0-9a-f]{8,}\.[a-z0-9]+$/;
const forAYear = 'public, max-age=31536000, immutable';

/** Whether the client has these bytes already. Tags are compared without regard to what else they promise. */
const isHeld = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

const tagOf = (etag: string, packing: ContentEncoding | undefined): string =>
  packing === undefined ? `"${etag}"` : `"${etag}-${packing}"`;

export interface FileResponse {
  folder: string;
  manifest: SiteManifest;
  file: string;
  status: 200 | 404;
}

/**
 * Answers with a file of the site, as a stream, packed as it lies there.
 * @returns false where the file has gone since the list was read; nothing is answered then
 */
export const sendSiteFile = async (
  { folder, manifest, file, status }: FileResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> => {
  const entry = manifest.files.get(file);
  if (entry === undefined) return false;
  const packing = negotiateEncoding(entry, request.headers['accept-encoding']);
  const etag = tagOf(entry.etag, packing);
  const held = status === 200 && isHeld(request.headers['if-none-match'], etag);
  const handle = await open(join(folder, `${file}${suffixOf(packing)}`)).catch(() => undefined);
  if (handle === undefined) return false;
  const { size } = await handle.stat();
  void reply.code(held ? 304 : status).header('cache-control', hashedName.test(file) ? forAYear : 'no-cache');
  addVary(reply, 'Accept-Encoding');
  if (status === 200) void reply.header('etag', etag);
  if (file.endsWith('.html')) void reply.header('content-security-policy', pagePolicy(manifest, file));
  if (held || request.method === 'HEAD') await handle.close();
  if (held) {
    void reply.send();
    return true;
  }
  void reply.type(mediaTypeOf(file)).header('content-length', size);
  if (packing !== undefined) void reply.header('content-encoding', packing);
  void reply.send(request.method === 'HEAD' ? undefined : handle.createReadStream());
  return true;
};
