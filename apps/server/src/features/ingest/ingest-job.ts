import { badRequest, RedoubtError } from '@redoubt/errors';
import type { RecordStore } from '@redoubt/records';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { JobKind, RunningJob } from '../../platform/jobs/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { parserTask } from './file-columns.ts';
import { isAboutSource } from './hidden-errors.ts';
import type { IngestFile, IngestRepository, StoredUpload } from './ingest.repository.ts';
import type { ReceiptRepository } from './receipt.repository.ts';
import type { StoreInnerDocuments } from './inner-document.repository.ts';
import type { LoadFile } from './load-file.ts';
import { recognizePages } from './ocr/recognize-pages.ts';
import type { Recognize } from './ocr/recognizer.ts';
import type { DocumentParts } from './pages/document-parts.ts';
import { parseFile, type ParserHost } from './parser/start-parser.ts';
import type { Turns } from './read-turns.ts';
import type { ReplaceVisible } from './replace-visible.ts';
import { isRestricted, rejectsToken } from './restricted-rejects.ts';
import type { ShowErrors } from './show-errors.ts';
import type { CopySegment } from './sources/copy-segment.ts';
import type { ListSegments } from './sources/list-segments.ts';

/** The two steps of a segment: copying it from its source and storing its rows. */
const stages = { fetched: 1, stored: 2 } as const;
const progressMs = 500;

/** Whether the starter of a job, their credential or their rights are gone. */
const isAboutRights = (error: unknown): error is RedoubtError =>
  error instanceof RedoubtError && ['ForbiddenError', 'NotFoundError'].includes(error.name);

const withOutcome = ({ name, message, code }: RedoubtError, isReplace: boolean): RedoubtError =>
  new RedoubtError(
    name,
    `${message} ${isReplace ? 'No record was replaced.' : 'The records that were stored until then stay.'}`,
    { code },
  );

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export interface IngestJobDeps {
  repository: IngestRepository;
  receipts: Pick<ReceiptRepository, 'sums'>;
  files: Pick<ObjectStore, 'open'>;
  store: Pick<RecordStore, 'settleBlocks'>;
  loadFile: LoadFile;
  copySegment: CopySegment;
  listSegments: ListSegments;
  parserHost: () => Promise<ParserHost>;
  recognize: Recognize;
  parts: Pick<DocumentParts, 'keepWords'>;
  storeInnerDocuments: StoreInnerDocuments;
  /** Called when a job has ended. */
  ended: (datasetId: string) => Promise<void>;
  replaceVisible: ReplaceVisible;
  held: Pick<HeldAttributes, 'createTokens' | 'heldTokens'>;
  showErrors: ShowErrors;
  turns: Turns;
}

const failureOf = (failures: readonly RedoubtError[], files: number, isReplace: boolean): Error => {
  const [first] = failures;
  if (first === undefined || files === 1) return first ?? new Error('No file failed.');
  const rest = isReplace ? 'no record was replaced' : 'the rows of the others are stored';
  return new RedoubtError(
    'FileParseError',
    `${failures.length} of ${files} files could not be read to their end; ${rest}. ${first.message}`,
  );
};

/** Stores the rows of the files of an upload, one file after another. Each file is a segment of the job. */
export const createIngestJob = ({
  repository,
  receipts,
  files,
  store,
  loadFile,
  copySegment,
  listSegments,
  parserHost,
  recognize,
  parts,
  storeInnerDocuments,
  ended,
  replaceVisible,
  held,
  showErrors,
  turns,
}: IngestJobDeps): JobKind => {
  /**
   * Reports the progress of a job: the bytes of all its files, and the stored records.
   * @param records how many are stored already
   * @param all undefined for a source without end, of whose bytes there is no percentage
   */
  const createProgress = (
    job: RunningJob,
    { options }: StoredUpload,
    records: number,
    all: readonly IngestFile[] | undefined,
  ) => {
    const sizes = new Map(all?.map(({ id, size }) => [id, size ?? 0]));
    const done = new Map(all?.map(({ id, status, size }) => [id, status === 'completed' ? (size ?? 0) : 0]));
    let stored = records;
    let notedAt = -Infinity;
    const note = async (): Promise<void> => {
      const percent = Math.min(99, Math.floor((100 * sum(done)) / Math.max(1, sum(sizes))));
      // The receipt counts the visible records of a stored connection; the total would tell of hidden ones.
      await job.progress({
        // With a minimum label it would tell how the sizes of the files compare.
        ...(all !== undefined && options.minimumLabel === undefined && { percent }),
        ...(isRestricted(options) ? {} : { recordCount: stored }),
      });
    };
    return {
      sized: (id: string, size: number): void => {
        if (all !== undefined) sizes.set(id, size);
      },
      read: async (id: string, bytes: number): Promise<void> => {
        if (all !== undefined) done.set(id, Math.min(bytes, sizes.get(id) ?? 0));
        if (performance.now() - notedAt < progressMs) return;
        notedAt = performance.now();
        await repository.setBytesRead(id, bytes);
        await note();
      },
      stored: async (count: number): Promise<void> => {
        stored += count;
        await note();
      },
    };
  };

  type Progress = ReturnType<typeof createProgress>;

  const load = async (
    job: RunningJob,
    { options, customMetadata }: StoredUpload,
    { id, name, readerName, segmentId, objectName, nextRow }: IngestFile,
    foreignTokens: Set<string>,
    progress: Progress,
    slot: number | null,
  ): Promise<void> => {
    if (objectName === null) throw new Error('A file is to be read that is not there.');
    const isDocument = options.isDocument === true;
    await repository.setSegment(segmentId, { status: 'running', stage: stages.fetched, worker: job.worker });
    const opened = await files.open(objectName);
    try {
      const { size } = await opened.stat();
      const parsed = parseFile(
        await parserHost(),
        opened.fd,
        parserTask(name, options, isDocument ? nextRow : undefined),
        job.signal,
      );
      const items = recognizePages(
        parsed,
        (image, signal) => recognize(image, options.ocrLanguages, signal),
        (row, words) => parts.keepWords(id, row, words),
        job.signal,
      );
      await loadFile({
        job,
        fileId: id,
        fileName: name,
        options,
        foreignTokens,
        items,
        nextRow,
        opened: (format, containers) => repository.setOpened(id, containers, isDocument ? format : undefined),
        document: isDocument ? { fileId: id, fileName: readerName, metadata: customMetadata } : undefined,
        keepInner: (documents) => storeInnerDocuments(id, documents),
        slot,
        progress: (bytes) => progress.read(id, bytes),
        stored: progress.stored,
      });
      await repository.setBytesRead(id, size);
    } finally {
      await opened.close();
    }
  };

  const runFile = async (
    job: RunningJob,
    upload: StoredUpload,
    file: IngestFile,
    foreignTokens: Set<string>,
    progress: Progress,
    slot: number | null,
  ): Promise<RedoubtError | undefined> => {
    try {
      await repository.setSegment(file.segmentId, { status: 'running', stage: 0, worker: job.worker });
      if (file.objectName === null) {
        // An earlier process may have died after it found that the file has not changed.
        const size = file.isUnchanged ? undefined : await copySegment(file, job, upload.options);
        if (size === undefined) {
          await repository.setSegment(file.segmentId, { status: 'completed', stage: stages.stored });
          return undefined;
        }
        progress.sized(file.id, size);
      }
      await store.settleBlocks(job.datasetId);
      const settled = await repository.file(file.id);
      if (settled === undefined) throw new Error('A file is gone while its job runs.');
      await load(job, upload, settled, foreignTokens, progress, slot);
      await repository.setSegment(file.segmentId, { status: 'completed', stage: stages.stored });
      return undefined;
    } catch (error) {
      if (job.signal.aborted || !isAboutSource(error)) throw error;
      const { inJob, inReceipt } = await showErrors(job, upload.options, error);
      const { name, message, code } = inReceipt;
      await repository.setSegment(file.segmentId, { status: 'failed', error: { name, message, code } });
      return inJob;
    }
  };

  /**
   * Creates the attribute for the rejected rows of a stored connection, so that somebody can be given it. It is created
   * whether or not there are any, which would tell of rows.
   */
  const offerRejects = async (job: RunningJob, { options }: StoredUpload): Promise<void> => {
    if (!isRestricted(options)) return;
    const { workspace } = await job.actor();
    await held.createTokens(workspace.uniqueId, [rejectsToken(job.datasetId)]);
  };

  const readFile: typeof runFile = async (job, upload, file, foreignTokens, progress, slot) => {
    const failure = await runFile(job, upload, file, foreignTokens, progress, slot).catch(
      (error: unknown) => {
        throw isAboutRights(error) ? withOutcome(error, slot !== null) : error;
      },
    );
    await offerRejects(job, upload);
    return failure;
  };

  const hideErrors = async (
    job: RunningJob,
    { options }: StoredUpload,
    work: Promise<void>,
  ): Promise<void> => {
    try {
      await work;
    } catch (error) {
      throw isAboutSource(error) ? (await showErrors(job, options, error)).inJob : error;
    }
  };

  return {
    type: 'ingest',
    totalStages: stages.stored,
    run: async (job) => {
      const upload = await repository.uploadOf(job.id);
      if (upload === undefined) {
        throw badRequest(
          'The files of this job were deleted, with the upload or because the dataset was cleared. Send them again.',
        );
      }
      const ofTurns = await turns.of(job, upload);
      await hideErrors(job, upload, listSegments(job, upload));
      if (ofTurns !== undefined) {
        const { written } = await receipts.sums(job.id);
        const progress = createProgress(job, upload, written, undefined);
        const tokens = new Set<string>();
        await turns.read(job, upload, ofTurns, (file) => readFile(job, upload, file, tokens, progress, null));
        return;
      }
      const replacement =
        upload.options.write?.mode === 'replace' ? await replaceVisible.begin(job) : undefined;
      if (replacement?.isDone === true) return;
      const slot = replacement?.slot ?? null;
      const all = await repository.filesOf(job.id);
      const { written } = await receipts.sums(job.id);
      const progress = createProgress(job, upload, written, all);
      const foreignTokens = new Set<string>();
      const failures: RedoubtError[] = [];
      for (const file of all.filter(({ status }) => status !== 'completed')) {
        job.signal.throwIfAborted();
        const failure = await readFile(job, upload, file, foreignTokens, progress, slot);
        if (failure !== undefined) failures.push(failure);
      }
      if (failures.length > 0) throw failureOf(failures, all.length, slot !== null);
      if (slot === null || (await repository.filesOf(job.id)).every(({ isUnchanged }) => isUnchanged)) return;
      await hideErrors(job, upload, replaceVisible.finish(job, slot));
    },
    ended: async (job) => {
      await replaceVisible.ended(job);
      await ended(job.datasetId);
    },
    describeCanceled: async ({ id }) => {
      const options = (await repository.uploadOf(id))?.options;
      if (options?.write?.mode === 'replace') return 'Canceled. No record was replaced.';
      if (options !== undefined && isRestricted(options))
        return 'Canceled. The records that were stored until then stay.';
      const { written, completed, files: all } = await receipts.sums(id);
      return `Canceled. Stored until then: ${countText(written, 'record')}, with ${completed} of ${countText(all, 'file')} complete.`;
    },
  };
};
