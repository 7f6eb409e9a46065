import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Runtime } from '../../../platform/runtime.ts';
import type { NewFile } from '../ingest.repository.ts';
import { unnamedFile } from '../unnamed-file.ts';
import { sealSegment, type SealedConnection } from './sealed-source.ts';
import type { SegmentVersion, SourceSegment } from './source.ts';
import type { Sources } from './sources.ts';
import { requestOf } from './stored-kind.ts';

/** Creates the files of an upload from the segments of its source. */
export const createNewFiles =
  ({
    secrets,
    ids,
    sources,
  }: {
    secrets: Pick<SecretBox, 'seal'>;
    ids: Runtime['ids'];
    sources: Pick<Sources, 'stored'>;
  }) =>
  (
    { type, connectionId, connectionInfo: whole }: SealedConnection,
    segments: readonly SourceSegment[],
    versions: ReadonlyMap<string, SegmentVersion>,
  ): NewFile[] =>
    segments.map(({ name, identity, place, connectionInfo: own, readerName }) => {
      const id = ids.uuid();
      const known = versions.get(identity);
      const connectionInfo =
        own === undefined
          ? whole
          : connectionId === undefined
            ? own
            : requestOf(sources.stored(type), own as Record<string, unknown>);
      return {
        id,
        segmentId: ids.uuid(),
        name,
        // The name is a part of an address, which may be a secret.
        readerName: readerName ?? unnamedFile(id),
        sealedSource: sealSegment(secrets, id, {
          type,
          connectionId,
          connectionInfo,
          identity,
          place,
          known,
        }),
      };
    });

export type NewFiles = ReturnType<typeof createNewFiles>;
