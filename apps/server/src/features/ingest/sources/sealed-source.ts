import { sealedLocation, type SecretBox } from '../../../platform/secrets/index.ts';
import type { IngestFile } from '../ingest.repository.ts';
import type { SegmentVersion, SourceSegment } from './source.ts';
import { urlIdentity } from './url-source.ts';

/** The source of an upload, sealed until its segments are listed. */
export interface SealedConnection {
  type: string;
  connectionInfo: unknown;
  /** The stored connection that holds the rest of connectionInfo, which is looked up whenever it is used. */
  connectionId?: string | undefined;
}

/** What is sealed for a segment that is not read yet. */
export interface SealedSegment extends SealedConnection, Pick<SourceSegment, 'identity' | 'place'> {
  /** The version that an earlier job stored. */
  known?: SegmentVersion | undefined;
}

/** What is sealed for a segment that was read. */
type SealedVersion = Pick<SealedSegment, 'identity' | 'known'>;

/** What earlier releases sealed: only addresses, which needed no connection. */
interface SealedAddress {
  url: string;
  headers: Record<string, string>;
  known?: SegmentVersion | undefined;
}

const locationOf = (fileId: string): string => sealedLocation('ingest_files', 'sealed_source', fileId);
const versionLocationOf = (fileId: string): string =>
  sealedLocation('ingest_files', 'sealed_version', fileId);
const connectionLocationOf = (uploadId: string): string =>
  sealedLocation('uploads', 'sealed_source', uploadId);

export const sealSegment = (
  secrets: Pick<SecretBox, 'seal'>,
  fileId: string,
  segment: SealedSegment,
): string => secrets.seal(JSON.stringify(segment), locationOf(fileId));

export const openSegment = (
  secrets: Pick<SecretBox, 'open'>,
  fileId: string,
  sealed: string,
): SealedSegment => {
  const opened = JSON.parse(secrets.open(sealed, locationOf(fileId))) as SealedAddress | SealedSegment;
  if (!('url' in opened)) return opened;
  const { url, headers, known } = opened;
  const place = { url, headers };
  return { type: 'URL', connectionInfo: { urls: [place] }, identity: urlIdentity(place), place, known };
};

export const sealVersion = (
  secrets: Pick<SecretBox, 'seal'>,
  fileId: string,
  version: SealedVersion,
): string => secrets.seal(JSON.stringify(version), versionLocationOf(fileId));

/** What an earlier attempt or job read of a file. */
export const openVersion = (
  secrets: Pick<SecretBox, 'open'>,
  fileId: string,
  sealed: string,
): SealedVersion => {
  const opened = JSON.parse(secrets.open(sealed, versionLocationOf(fileId))) as SealedAddress | SealedVersion;
  return 'url' in opened ? { identity: urlIdentity(opened), known: opened.known } : opened;
};

/** The versions of the segments that a job read and stored to their end, by the identity of the segment. */
export const openVersions = (
  secrets: Pick<SecretBox, 'open'>,
  files: readonly IngestFile[],
): ReadonlyMap<string, SegmentVersion> => {
  const versions = new Map<string, SegmentVersion>();
  for (const { id, status, sealedVersion } of files) {
    if (status !== 'completed' || sealedVersion === null) continue;
    const { identity, known } = openVersion(secrets, id, sealedVersion);
    if (known !== undefined) versions.set(identity, known);
  }
  return versions;
};

export const sealConnection = (
  secrets: Pick<SecretBox, 'seal'>,
  uploadId: string,
  connection: SealedConnection,
): string => secrets.seal(JSON.stringify(connection), connectionLocationOf(uploadId));

export const openConnection = (
  secrets: Pick<SecretBox, 'open'>,
  uploadId: string,
  sealed: string,
): SealedConnection => JSON.parse(secrets.open(sealed, connectionLocationOf(uploadId))) as SealedConnection;
