import type { FastifyReply, FastifyRequest } from 'fastify';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaTypeOf } from './media-types.ts';
import { negotiateEncoding, suffixOf, type ContentEncoding } from './content-encoding.ts';
import { pagePolicy } from './page-policy.ts';
import type { SiteManifest } from './site-manifest.ts';
import { addVary } from './vary.ts';

/** Files whose names contain a hash of their content. */
const hashedName = /^assets\/.*[-.][0-9a-f]{8,}\.[a-z0-9]+$/;
const forAYear = 'public, max-age=31536000, immutable';

/** Whether the client has this version already. Weak and strong tags compare as equal. */
const isCached = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

const tagOf = (etag: string, encoding: ContentEncoding | undefined): string =>
  encoding === undefined ? `"${etag}"` : `"${etag}-${encoding}"`;

export interface FileResponse {
  folder: string;
  manifest: SiteManifest;
  file: string;
  status: 200 | 404;
  /** The content security policy of its pages; that of the documentation where absent. */
  policy?: (manifest: SiteManifest, file: string) => string;
}

/**
 * Sends a file of the site as a stream, compressed if that form exists.
 * @returns false if the file was removed since the manifest was read; then nothing was sent
 */
export const sendSiteFile = async (
  { folder, manifest, file, status, policy = pagePolicy }: FileResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> => {
  const entry = manifest.files.get(file);
  if (entry === undefined) return false;
  const encoding = negotiateEncoding(entry, request.headers['accept-encoding']);
  const etag = tagOf(entry.etag, encoding);
  const isNotModified = status === 200 && isCached(request.headers['if-none-match'], etag);
  const handle = await open(join(folder, `${file}${suffixOf(encoding)}`)).catch(() => undefined);
  if (handle === undefined) return false;
  const { size } = await handle.stat();
  void reply
    .code(isNotModified ? 304 : status)
    .header('cache-control', hashedName.test(file) ? forAYear : 'no-cache');
  addVary(reply, 'Accept-Encoding');
  if (status === 200) void reply.header('etag', etag);
  if (file.endsWith('.html')) void reply.header('content-security-policy', policy(manifest, file));
  if (isNotModified || request.method === 'HEAD') await handle.close();
  if (isNotModified) {
    void reply.send();
    return true;
  }
  void reply.type(mediaTypeOf(file)).header('content-length', size);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  void reply.send(request.method === 'HEAD' ? undefined : handle.createReadStream());
  return true;
};
