import type { IncomingHttpHeaders } from 'node:http';
import { RedoubtError, tooLarge } from '@redoubt/errors';
import type { ObjectStore } from '../../platform/files/index.ts';
import {
  OutboundError,
  UnchangedFileError,
  type FileVersion,
  type OutboundDownload,
} from '../../platform/outbound/index.ts';
import { sealedLocation, type SecretBox } from '../../platform/secrets/index.ts';
import type { IngestFile, IngestRepository } from './ingest.repository.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { measureBytes } from './measure-bytes.ts';
import type { ObjectDrops } from './object-drops.ts';

/** What is sealed for a file to fetch: its address and the headers to send. */
export interface SealedSource {
  url: string;
  headers: Record<string, string>;
  /** The version that an earlier job stored. It is not fetched again. */
  known?: FileVersion;
}

const locationOf = (fileId: string): string => sealedLocation('ingest_files', 'sealed_source', fileId);

export const sealSource = (secrets: Pick<SecretBox, 'seal'>, fileId: string, source: SealedSource): string =>
  secrets.seal(JSON.stringify(source), locationOf(fileId));

/** The name of a file from the header Content-Disposition, if it is a plain one, such as `airports 2024.csv`. */
export const plainFileName = (header: string | undefined): string | undefined => {
  const name = /;\s*filename=(?:"([^"]*)"|([^\s;"]+))\s*(?:;|$)/i.exec(header ?? '');
  const plain = name?.[1] ?? name?.[2] ?? '';
  return /^[A-Za-z0-9][\w ()-]{0,99}(\.[A-Za-z0-9]{1,8}){1,2}$/.test(plain) ? plain : undefined;
};

const versionLocationOf = (fileId: string): string =>
  sealedLocation('ingest_files', 'sealed_version', fileId);

/** The version of a file that was fetched, by its address and headers. */
const openVersion = (
  secrets: Pick<SecretBox, 'open'>,
  { id, sealedVersion }: Pick<IngestFile, 'id' | 'sealedVersion'>,
): SealedSource | undefined =>
  sealedVersion === null
    ? undefined
    : (JSON.parse(secrets.open(sealedVersion, versionLocationOf(id))) as SealedSource);

/** The stored version of an address among these files. */
export const findKnownVersion = (
  secrets: Pick<SecretBox, 'open'>,
  files: readonly IngestFile[],
  { url, headers }: SealedSource,
): FileVersion | undefined =>
  files
    .filter(({ status }) => status === 'completed')
    .map((file) => openVersion(secrets, file))
    .find((version) => version?.url === url && JSON.stringify(version.headers) === JSON.stringify(headers))
    ?.known;

/** Fetches a file into the object store. @returns its size in bytes; undefined if it has not changed */
export type FetchSource = (file: IngestFile, signal: AbortSignal) => Promise<number | undefined>;

export const createFetchSource =
  ({
    files,
    repository,
    drops,
    ids,
    secrets,
    download,
    maxUploadBytes,
  }: {
    files: Pick<ObjectStore, 'put'>;
    repository: Pick<IngestRepository, 'setStored' | 'setUnchanged'>;
    drops: Pick<ObjectDrops, 'announce' | 'giveUp'>;
    ids: Runtime['ids'];
    secrets: Pick<SecretBox, 'open' | 'seal'>;
    download: OutboundDownload;
    maxUploadBytes: number;
  }): FetchSource =>
  async ({ id, name, sealedSource }, signal) => {
    if (sealedSource === null) throw new Error('A file has neither bytes nor an address.');
    const { url, headers, known } = JSON.parse(secrets.open(sealedSource, locationOf(id))) as SealedSource;
    let version = known ?? {};
    const sealVersion = (): string =>
      secrets.seal(JSON.stringify({ url, headers, known: version }), versionLocationOf(id));
    const onVersion = (sent: FileVersion): void => {
      version = sent;
    };
    // Another worker may fetch the same file: each attempt has an object of its own.
    const objectName = `fetched/${id}/${ids.uuid()}`;
    let sentName: string | undefined;
    const onResponse = (response: IncomingHttpHeaders): void => {
      sentName = plainFileName(response['content-disposition']);
    };
    const { chunks, measured } = measureBytes(
      download({ url, headers, signal, known, onVersion, onResponse }),
      (_length, size) => {
        if (size > maxUploadBytes)
          throw tooLarge(`${name}: the file is larger than ${maxUploadBytes} bytes.`);
      },
    );
    await drops.announce(objectName);
    try {
      await files.put(objectName, chunks);
    } catch (error) {
      await drops.giveUp([objectName]);
      signal.throwIfAborted();
      if (error instanceof UnchangedFileError) {
        await repository.setUnchanged(id, sealVersion());
        return undefined;
      }
      if (!(error instanceof OutboundError)) throw error;
      throw new RedoubtError(
        'HttpClientError',
        `${name}: ${error.message}. Check the address and its headers, then retry the job.`,
      );
    }
    const stored = measured();
    if (!(await repository.setStored(id, { objectName, ...stored }, sealVersion(), sentName)))
      await drops.giveUp([objectName]);
    return stored.size;
  };
