import { tooLarge } from '@redoubt/errors';
import type { ObjectStore } from '../../../platform/files/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { RunningJob } from '../../../platform/jobs/index.ts';
import type { Runtime } from '../../../platform/runtime.ts';
import { requiredColumnsOf } from '../file-columns.ts';
import type { IngestOptions } from '../ingest-options.ts';
import type { IngestFile, IngestRepository } from '../ingest.repository.ts';
import { measureBytes } from '../measure-bytes.ts';
import type { ObjectDrops } from '../object-drops.ts';
import type { ReadRowsRepository } from './read-rows.repository.ts';
import type { TurnRepository } from '../turn.repository.ts';
import { openSegment, sealVersion } from './sealed-source.ts';
import { UnchangedSegmentError } from './source.ts';
import type { OpenSource, StoredConnections } from './sources.ts';

/**
 * Copies a segment of a source into the object store, before any of its rows is stored.
 * @returns its size in bytes; undefined if it has not changed
 */
export type CopySegment = (
  file: IngestFile,
  job: Pick<RunningJob, 'actor' | 'signal'>,
  options: IngestOptions,
) => Promise<number | undefined>;

/** A source of which the first chunk has come. */
interface Begun {
  chunks: AsyncIterable<Uint8Array>;
  /** Ends the reading, also if nobody has begun to read the chunks. */
  close(): void;
}

/** Waits for the first chunk, which may take long where nothing is announced yet. */
const waitForFirst = async (chunks: AsyncIterable<Uint8Array>): Promise<Begun> => {
  const reading = chunks[Symbol.asyncIterator]();
  let next = await reading.next();
  const close = (): void => {
    // It ends at once unless a chunk is on its way, for which nobody waits.
    reading.return?.().catch(() => undefined);
  };
  const all = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (; next.done !== true; next = await reading.next()) yield next.value;
    } finally {
      await reading.return?.();
    }
  };
  return { chunks: all(), close };
};

export const createCopySegment =
  ({
    files,
    repository,
    turns,
    drops,
    readRows,
    ids,
    secrets,
    openSource,
    requireUse,
    maxUploadBytes,
  }: {
    files: Pick<ObjectStore, 'put'>;
    repository: Pick<IngestRepository, 'setStored' | 'setUnchanged'>;
    turns: Pick<TurnRepository, 'describeSegment'>;
    drops: Pick<ObjectDrops, 'announce' | 'giveUp'>;
    readRows: ReadRowsRepository;
    ids: Runtime['ids'];
    secrets: Pick<SecretBox, 'open' | 'seal'>;
    openSource: OpenSource;
    requireUse: StoredConnections['requireUse'];
    maxUploadBytes: number;
  }): CopySegment =>
  async ({ id, segmentId, name, sealedSource }, { actor, signal }, options) => {
    if (sealedSource === null) throw new Error('A file has neither bytes nor a source.');
    const { identity, known, place, ...connection } = openSegment(secrets, id, sealedSource);
    let version = known ?? {};
    let duplicates = 0;
    let readerName: string | undefined;
    let details: Readonly<Record<string, unknown>> | undefined;
    const sealed = (): string => sealVersion(secrets, id, { identity, known: version });
    // Another worker may copy the same segment: each attempt has an object of its own.
    const objectName = `fetched/${id}/${ids.uuid()}`;
    const { source } = await openSource(await actor(), connection);
    const bytes = source.read(place, {
      name,
      signal,
      known,
      columns: options.reading?.columns ?? [],
      requiredColumns: requiredColumnsOf(options),
      readRows: readRows.of(id, objectName),
      onDuplicates: (count) => {
        duplicates += count;
      },
      onVersion: (sent) => {
        version = sent;
      },
      onReaderName: (sent) => {
        readerName = sent;
      },
      onRead: (sent) => {
        details = sent;
      },
    });
    const { chunks, measured } = measureBytes(bytes, (_length, size) => {
      if (size > maxUploadBytes) throw tooLarge(`${name}: the file is larger than ${maxUploadBytes} bytes.`);
    });
    const describe = async (): Promise<void> => {
      // People who may use a stored connection need not see how much it reads.
      if (details === undefined || connection.connectionId !== undefined) return;
      await turns.describeSegment(segmentId, { fileId: id, name, ...details });
    };
    let begun: Begun;
    try {
      begun = await waitForFirst(chunks);
    } catch (error) {
      await readRows.discard(objectName);
      signal.throwIfAborted();
      if (!(error instanceof UnchangedSegmentError)) throw error;
      await requireUse(await actor(), options);
      await describe();
      await repository.setUnchanged(id, sealed());
      return undefined;
    }
    try {
      await drops.announce(objectName);
      await files.put(objectName, begun.chunks);
      // What was read after the connection got another minimum label is not measured under the old one.
      await requireUse(await actor(), options);
    } catch (error) {
      begun.close();
      await drops.giveUp([objectName]);
      await readRows.discard(objectName);
      signal.throwIfAborted();
      throw error;
    }
    await describe();
    const stored = measured();
    if (!(await repository.setStored(id, { objectName, ...stored, duplicates }, sealed(), readerName))) {
      await drops.giveUp([objectName]);
      await readRows.discard(objectName);
    }
    return stored.size;
  };
