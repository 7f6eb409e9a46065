import type { DocumentPage, MediaLookup } from '@redoubt/contract';
import { badField, notFound, RedoubtError } from '@redoubt/errors';
import { documentFormatNamed } from '@redoubt/file-formats';
import type { RecordStore } from '@redoubt/records';
import { Readable } from 'node:stream';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { PageImages, PageRequester } from '../ingest/index.ts';
import { resolveVisibleLabels, whileAllowed, type AuditDownload } from '../records/index.ts';
import { parseByteRange } from './byte-range.ts';
import { credentialOf, type MediaAddress, type MediaAddresses } from './media-address.ts';
import type { DocumentFile } from './media.repository.ts';
import { hasPage, type FindVisibleFile } from './visible-file.ts';

/** The response to a request for bytes. */
export interface MediaResponse {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  body: Readable | Uint8Array;
}

/** What a lookup asks for. */
export interface MediaQuery {
  documentId: string;
  download?: boolean;
  preview?: boolean;
  page?: number;
}

export interface MediaService {
  /** Returns the address of the file of a document, or of the picture of a page. */
  lookup(actor: Member, datasetId: string, query: MediaQuery): Promise<MediaLookup>;
  /** Returns the words of a page with their boxes. */
  page(
    actor: Member,
    datasetId: string,
    documentId: string,
    page: number,
    signal: AbortSignal,
  ): Promise<DocumentPage>;
  /** Opens the file of an address, with the rights that its person has now. */
  open(token: string, range: string | undefined, signal: AbortSignal): Promise<MediaResponse>;
}

export interface MediaServiceDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  addresses: MediaAddresses;
  auditDownload: AuditDownload;
  clock: Clock;
  files: Pick<ObjectStore, 'get' | 'head'>;
  held: Pick<HeldAttributes, 'heldTokens'>;
  pages: PageImages;
  publicUrl: () => string;
  reauthenticate: ReauthenticateActor;
  findFile: FindVisibleFile;
  store: Pick<RecordStore, 'visibleLabels'>;
}

/** The same for every reason, because the reason may disclose hidden records. */
const noFile = (): RedoubtError =>
  new RedoubtError(
    'NotFoundError',
    'There is no file at this address, or the address has expired. Ask for a new one with GET /serve-media/{datasetId}.',
  );

/** The same for a document that is hidden, that has no pictures, and that has fewer pages. */
const noPage = (documentId: string, page: number): RedoubtError =>
  new RedoubtError(
    'NotFoundError',
    `There is no document with id "${documentId}" that has a picture of page ${String(page)}.`,
  );

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
  pages,
  publicUrl,
  reauthenticate,
  findFile,
  store,
}: MediaServiceDeps): MediaService => {
  const openDataset = (actor: Member, datasetId: string) =>
    access.requireCall(actor, datasetId, 'serveMedia');

  const findVisible = async (
    actor: Member,
    accessible: Awaited<ReturnType<typeof openDataset>>,
    documentId: string,
  ): Promise<DocumentFile | undefined> => {
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    return findFile({ datasetId: accessible.dataset.id, visible, person: actor.accountId }, documentId);
  };

  /** Finds the file of an address, with the rights that its person has now. */
  const findWithPerson = async (
    address: MediaAddress,
  ): Promise<{ file: DocumentFile; accountId: string } | undefined> => {
    try {
      const actor = await reauthenticate(credentialOf(address));
      if (actor === undefined) return undefined;
      const dataset = await openDataset(actor, address.datasetId);
      const file = await findVisible(actor, dataset, address.documentId);
      return file && { file, accountId: actor.accountId };
    } catch (error) {
      if (error instanceof RedoubtError && error.code < 500) return undefined;
      throw error;
    }
  };

  const findOfAddress = async (address: MediaAddress): Promise<DocumentFile | undefined> =>
    (await findWithPerson(address))?.file;

  /** The rights are checked again after the picture was made, which can take long. */
  const picture = async (
    address: MediaAddress,
    file: DocumentFile,
    page: number,
    requester: PageRequester,
  ): Promise<MediaResponse> => {
    const found = await pages.picture(file, page, 'page', requester);
    if (found === undefined || (await findOfAddress(address)) === undefined) throw noFile();
    const { bytes, mediaType } = found;
    const headers = {
      ...safeHeaders,
      'accept-ranges': 'none',
      'content-type': mediaType,
      'content-disposition': attachment(
        `${file.name}.${String(page)}.${mediaType === 'video/webm' ? 'webm' : 'jpg'}`,
        address.isDownload,
      ),
      'content-length': String(bytes.length),
    };
    return { status: 200, headers, body: bytes };
  };

  return {
    lookup: async (actor, datasetId, { documentId, download = false, preview = false, page }) => {
      if (page !== undefined && !preview) {
        throw badField('page', 'must not be sent without preview=true. Send both, or leave page out.');
      }
      const accessible = await openDataset(actor, datasetId);
      const { id } = accessible.dataset;
      // Before the file is looked for: an event for files that exist would tell auditors of hidden documents.
      await auditDownload(actor, 'serveMedia', [id]);
      const file = await findVisible(actor, accessible, documentId);
      const pictured = preview ? (page ?? 1) : null;
      if (file === undefined || (pictured !== null && !hasPage(pages, file, pictured)))
        throw preview ? noPage(documentId, pictured ?? 1) : notFound('document with a file', documentId);
      const token = addresses.seal(actor, {
        datasetId: id,
        documentId,
        isDownload: download,
        page: pictured,
      });
      return { url: `${publicUrl()}/media-files/${token}` };
    },
    page: async (actor, datasetId, documentId, page, signal) => {
      const accessible = await openDataset(actor, datasetId);
      await auditDownload(actor, 'getDocumentPage', [accessible.dataset.id]);
      const file = await findVisible(actor, accessible, documentId);
      const found =
        file !== undefined && hasPage(pages, file, page)
          ? await pages.words(file, page, { accountId: actor.accountId, signal })
          : undefined;
      // Rights may have been lost while the words were made.
      const present = found && (await reauthenticate(actor));
      if (found === undefined || present === undefined) throw noPage(documentId, page);
      const now = await openDataset({ ...present, origin: actor.origin }, datasetId);
      if ((await findVisible(present, now, documentId)) === undefined) throw noPage(documentId, page);
      const { width, height, words } = found;
      return { width, height, words };
    },
    open: async (token, range, signal) => {
      const address = addresses.open(token);
      if (address === undefined) throw noFile();
      const since = clock.now();
      const found = await findWithPerson(address);
      const file = found?.file;
      if (found !== undefined && address.page !== null)
        return picture(address, found.file, address.page, { accountId: found.accountId, signal });
      const objectName =
        found && file && (await pages.objectOf(file, { accountId: found.accountId, signal }));
      const stored = objectName === undefined ? undefined : await files.head(objectName);
      if (file === undefined || objectName === undefined || stored === undefined) throw noFile();
      // Rights may have been lost while the bytes were copied out of the file.
      if (file.path !== undefined && (await findOfAddress(address)) === undefined) throw noFile();
      const { name, format } = file;
      const { kind = 'other', mediaType = 'application/octet-stream' } = documentFormatNamed(format) ?? {};
      // The name of a file of an archive is its path.
      const headers = {
        ...safeHeaders,
        'content-type': mediaType,
        'content-disposition': attachment(
          name.slice(name.lastIndexOf('/') + 1),
          address.isDownload || kind === 'other',
        ),
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
