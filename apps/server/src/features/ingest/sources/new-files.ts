import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Runtime } from '../../../platform/runtime.ts';
import type { NewFile } from '../ingest.repository.ts';
import { sealSegment, type SealedConnection } from './sealed-source.ts';
import type { SegmentVersion, SourceSegment } from './source.ts';

/** Creates the files of an upload from the segments of its source. */
export const createNewFiles =
  ({ secrets, ids }: { secrets: Pick<SecretBox, 'seal'>; ids: Runtime['ids'] }) =>
  (
    { type, connectionInfo: whole }: SealedConnection,
    segments: readonly SourceSegment[],
    versions: ReadonlyMap<string, SegmentVersion>,
  ): NewFile[] =>
    segments.map(({ name, identity, place, connectionInfo = whole }, index) => {
      const id = ids.uuid();
      const known = versions.get(identity);
      return {
        id,
        segmentId: ids.uuid(),
        name,
        // The name is a part of an address, which may be a secret.
        readerName: `file ${String(index + 1)}`,
        sealedSource: sealSegment(secrets, id, { type, connectionInfo, identity, place, known }),
      };
    });

export type NewFiles = ReturnType<typeof createNewFiles>;
