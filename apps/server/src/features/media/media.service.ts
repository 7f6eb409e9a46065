import type { MediaLookup } from '@redoubt/contract';
import { notFound, RedoubtError } from '@redoubt/errors';
import { documentFormatNamed } from '@redoubt/file-formats';
import { containsHiddenPath, isHiddenPath } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import { Readable } from 'node:stream';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { documentFields } from '../ingest/index.ts';
import { resolveVisibleLabels, whileAllowed, type AuditDownload } from '../records/index.ts';
import { parseByteRange } from './byte-range.ts';
import { credentialOf, type MediaAddress, type MediaAddresses } from './media-address.ts';
import type { DocumentFile, MediaRepository } from './media.repository.ts';

/** The response to a request for bytes. */
export interface MediaResponse {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  body: Readable | Uint8Array;
}

export interface MediaService {
  /** Returns the address of the file of a document. */
  lookup(actor: Member, datasetId: string, documentId: string, isDownload: boolean): Promise<MediaLookup>;
  /** Opens the file of an address, with the rights that its person has now. */
  open(token: string, range: string | undefined): Promise<MediaResponse>;
}

export interface MediaServiceDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  addresses: MediaAddresses;
  auditDownload: AuditDownload;
  clock: Clock;
  files: Pick<ObjectStore, 'get' | 'head'>;
  held: Pick<HeldAttributes, 'heldTokens'>;
  publicUrl: () => string;
  reauthenticate: ReauthenticateActor;
  repository: MediaRepository;
  store: Pick<RecordStore, 'countOfFile' | 'visibleLabels'>;
}

/** The same for every reason, because the reason may disclose hidden records. */
const noFile = (): RedoubtError =>
  new RedoubtError(
    'NotFoundError',
    'There is no file at this address, or the address has expired. Ask for a new one with GET /serve-media/{datasetId}.',
  );

const fieldsOf = ({ customMetadata }: DocumentFile): string[] => [
  ...documentFields,
  ...Object.keys(JSON.parse(customMetadata ?? '{}') as object),
];

const hidesField = (hidden: readonly string[], field: string): boolean =>
  isHiddenPath(hidden, field) || containsHiddenPath(hidden, field);

const attachment = (name: string, isDownload: boolean): string => {
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isDownload ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${exact}`;
};

/** The file comes from a person, so a browser may neither run it nor guess its type, keep it or tell others its address. */
const safeHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'accept-ranges': 'bytes',
} as const;

export const createMediaService = ({
  access,
  addresses,
  auditDownload,
  clock,
  files,
  held,
  publicUrl,
  reauthenticate,
  repository,
  store,
}: MediaServiceDeps): MediaService => {
  const openDataset = (actor: Member, datasetId: string) =>
    access.requireCall(actor, datasetId, 'serveMedia');

  /**
   * Finds the file of a document. The bytes contain all pages and all metadata, so the actor must see all records that
   * were made of them, as they are labelled now, and all fields. A file with a record that was deleted or replaced stays
   * closed, because its bytes still contain what was removed.
   */
  const findVisible = async (
    actor: Member,
    accessible: Awaited<ReturnType<typeof openDataset>>,
    documentId: string,
  ): Promise<DocumentFile | undefined> => {
    const id = accessible.dataset.id;
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    const counts = await store.countOfFile({
      datasetId: id,
      visible,
      person: actor.accountId,
      file: documentId,
    });
    const file = await repository.find(id, documentId);
    if (file === undefined || counts.total === 0) return undefined;
    if (counts.total !== file.rows || counts.original !== counts.total) return undefined;
    if (fieldsOf(file).some((field) => hidesField(visible.hidden, field))) return undefined;
    return file;
  };

  /** Finds the file of an address, with the rights that its person has now. */
  const findOfAddress = async (address: MediaAddress): Promise<DocumentFile | undefined> => {
    try {
      const actor = await reauthenticate(credentialOf(address));
      if (actor === undefined) return undefined;
      return await findVisible(actor, await openDataset(actor, address.datasetId), address.documentId);
    } catch (error) {
      if (error instanceof RedoubtError && error.code < 500) return undefined;
      throw error;
    }
  };

  return {
    lookup: async (actor, datasetId, documentId, isDownload) => {
      const accessible = await openDataset(actor, datasetId);
      const { id } = accessible.dataset;
      // Before the file is looked for: an event for files that exist would tell auditors of hidden documents.
      await auditDownload(actor, 'serveMedia', [id]);
      if ((await findVisible(actor, accessible, documentId)) === undefined)
        throw notFound('document with a file', documentId);
      const token = addresses.seal(actor, { datasetId: id, documentId, isDownload });
      return { url: `${publicUrl()}/media-files/${token}` };
    },
    open: async (token, range) => {
      const address = addresses.open(token);
      if (address === undefined) throw noFile();
      const since = clock.now();
      const file = await findOfAddress(address);
      const stored = file && (await files.head(file.objectName));
      if (file === undefined || stored === undefined) throw noFile();
      const { name, format, objectName } = file;
      const { kind = 'other', mediaType = 'application/octet-stream' } = documentFormatNamed(format) ?? {};
      const headers = {
        ...safeHeaders,
        'content-type': mediaType,
        'content-disposition': attachment(name, address.isDownload || kind === 'other'),
      };
      const { size } = stored;
      const part = parseByteRange(range, size);
      if (part === 'none') {
        return {
          status: 416,
          headers: { ...safeHeaders, 'content-range': `bytes */${String(size)}` },
          body: new Uint8Array(),
        };
      }
      const { first, last } = part ?? { first: 0, last: size - 1 };
      return {
        status: part === undefined ? 200 : 206,
        headers: {
          ...headers,
          'content-length': String(last - first + 1),
          ...(part === undefined
            ? {}
            : { 'content-range': `bytes ${String(first)}-${String(last)}/${String(size)}` }),
        },
        body: Readable.from(
          whileAllowed(
            files.get(objectName, part),
            async () => (await findOfAddress(address)) !== undefined,
            clock,
            since,
          ),
        ),
      };
    },
  };
};
