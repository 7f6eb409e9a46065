import type { Job, RejectedRowReplay } from '@redoubt/contract';
import { badField, conflict, notFound, securityError } from '@redoubt/errors';
import type { LabelResult, RecordLabeller } from '@redoubt/labels';
import { duplicateKey } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob, WiredJobs } from '../jobs/index.ts';
import { labelFieldsOf, type IngestOptions } from './ingest-options.ts';
import type { IngestRepository, NewFile } from './ingest.repository.ts';
import { measureBytes } from './measure-bytes.ts';
import type { ObjectDrops } from './object-drops.ts';
import type { StoredReject, ReplayRepository } from './replay.repository.ts';
import type { ReplacementRepository } from './replacement.repository.ts';
import { parseObject } from './parse-object.ts';
import { requireIngest } from './require-ingest.ts';
import { isRestricted, type SeesRestrictedRejects } from './restricted-rejects.ts';
import { createRowLabeller } from './row-labeller.ts';
import type { StoredConnections } from './sources/sources.ts';
import { startIngestJob } from './start-ingest-job.ts';

export interface ReplayService {
  /** Starts a job that stores mended rows of a job that the actor started. */
  replay(actor: Member, jobId: string, body: RejectedRowReplay): Promise<Job>;
}

export interface ReplayServiceDeps
  extends Pick<Runtime, 'clock' | 'ids'>, Pick<StoredConnections, 'requireUse'> {
  seesRestricted: SeesRestrictedRejects;
  access: Pick<DatasetAccess, 'requireCall'>;
  drops: Pick<ObjectDrops, 'announce' | 'giveUp'>;
  files: Pick<ObjectStore, 'put'>;
  hasStarted: WiredJobs['hasStarted'];
  ingest: Pick<IngestRepository, 'uploadOf'>;
  repository: ReplayRepository;
  replacements: Pick<ReplacementRepository, 'of'>;
  startJob: StartJob;
}

interface MendedRow {
  reject: StoredReject;
  /** A JSON object on one line. */
  text: string;
}

const idOf = ({ fileId, row }: StoredReject): string => `${fileId}/${row}`;

const parseId = (id: string): { fileId: string; row: number } | undefined => {
  const [, fileId, row] = /^([A-Za-z0-9-]{1,64})\/(\d{1,15})$/.exec(id) ?? [];
  return fileId === undefined ? undefined : { fileId, row: Number(row) };
};

/**
 * Parses a mended row.
 * @throws RedoubtError 400 unless it is a JSON object that has each key once and no record id
 */
const readMended = (text: string, field: string): Record<string, unknown> => {
  const record = parseObject(text);
  if (record === undefined) {
    throw badField(
      field,
      `must be a JSON object, got ${JSON.stringify(text.slice(0, 80))}. Send the mended row as an object with the fields of the record.`,
    );
  }
  const repeated = duplicateKey(text);
  if (repeated !== undefined)
    throw badField(
      field,
      `must have each key once, got ${JSON.stringify(repeated.slice(0, 80))} twice. Send it once.`,
    );
  if (Object.hasOwn(record, '_koverse_record_id'))
    throw badField(
      field,
      'must not have the key "_koverse_record_id": a replay adds records and replaces none. Leave it out.',
    );
  return record;
};

/** The labellers of mended rows. */
interface MendedLabellers {
  whole: RecordLabeller;
  /** Without the minimum label of the connection, which would pass for a label of the row. */
  own: RecordLabeller;
}

/**
 * Checks that a mended row gets the label that was determined for the rejected row. If that label is unknown, the
 * mended row must contain one, because the label that the rule gives to rows without one may make the record visible to
 * more readers.
 * @throws RedoubtError 400
 */
const requireLabel = (
  { whole, own }: MendedLabellers,
  decided: string | null,
  record: Record<string, unknown>,
  field: string,
): void => {
  if (decided === null) {
    const found = own.label(record);
    // The job rejects a mended row whose label cannot be read.
    if (found.kind === 'error' || isOwn(found)) return;
  } else {
    const found = whole.label(record);
    if (found.kind === 'label' && found.label === decided) return;
  }
  const message =
    decided === null
      ? `${field} must have a label of its own, because the label of the rejected row could not be read, got none. Add it to the fields that labels come from.`
      : `${field} must have the label that was decided before the row was rejected, got another one. Leave the fields of the label as they were.`;
  throw securityError(message, [{ field, message }]);
};

/** Whether a label is from the row itself. */
const isOwn = (found: LabelResult): boolean =>
  found.kind === 'label' && found.outcome === 'as-is' && found.label !== '';

/** The options that a replay takes from the upload. Mended rows have their final fields and never replace all records. */
const replayOptions = ({
  connectionId,
  minimumLabel,
  securityLabelInfo,
  write,
}: IngestOptions): IngestOptions => ({
  connectionId,
  minimumLabel,
  securityLabelInfo,
  ...(write?.mode === 'upsert' ? { write } : {}),
});

export const createReplayService = ({
  access,
  clock,
  drops,
  files,
  hasStarted,
  ids,
  ingest,
  repository,
  replacements,
  requireUse,
  seesRestricted,
  startJob,
}: ReplayServiceDeps): ReplayService => {
  /** @throws RedoubtError 409 for a job that may still replace the records, and would delete mended rows with them */
  const requireReplaced = async (jobId: string, { write }: IngestOptions): Promise<void> => {
    if (write?.mode !== 'replace' || (await replacements.of(jobId))?.state === 'done') return;
    throw conflict(
      `The job "${jobId}" has not replaced the records of the dataset, and would delete mended rows together with them. Replay its rows when it has completed, or send its files again with the rows mended.`,
    );
  };

  const mendedRows = async (
    jobId: string,
    { rows }: RejectedRowReplay,
    options: IngestOptions,
    isHidden: boolean,
  ): Promise<MendedRow[]> => {
    const wanted = isHidden ? [] : rows.flatMap(({ id }) => parseId(id) ?? []);
    const known = new Map(
      (await repository.rejectsOf(jobId, wanted)).map((reject) => [idOf(reject), reject]),
    );
    const labellers = {
      whole: createRowLabeller(options),
      own: createRowLabeller({ ...options, minimumLabel: undefined }),
    };
    const seen = new Set<string>();
    return rows.map(({ id, text }, index) => {
      const reject = known.get(id);
      if (reject === undefined) throw notFound('rejected row', id);
      if (seen.has(id))
        throw badField(`rows.${index}.id`, `must be in the request once, got "${id}" twice. Send it once.`);
      seen.add(id);
      if (reject.replayJobId !== null) throw replayedAlready(id, reject.replayJobId);
      const record = readMended(text, `rows.${index}.text`);
      if (takesLabelsFromFields(options)) requireLabel(labellers, reject.label, record, `rows.${index}.text`);
      return { reject, text: text.replaceAll(/[\r\n]+/g, ' ') };
    });
  };

  const storeFile = async (
    uploadId: string,
    number: number,
    rows: readonly MendedRow[],
    announced: string[],
  ): Promise<NewFile> => {
    const objectName = `uploads/${uploadId}/${number}`;
    await drops.announce(objectName);
    announced.push(objectName);
    const lines = rows.map(({ text }) => Buffer.from(`${text}\n`));
    const { chunks, measured } = measureBytes(linesOf(lines), () => undefined);
    await files.put(objectName, chunks);
    const { fileName = '', readerName = '' } = rows[0]?.reject ?? {};
    const names = { name: mendedName(fileName), readerName: mendedName(readerName) };
    return { id: ids.uuid(), segmentId: ids.uuid(), ...names, stored: { objectName, ...measured() } };
  };

  return {
    replay: async (actor, jobId, body) => {
      const upload = await ingest.uploadOf(jobId);
      if (upload === undefined || !(await hasStarted(actor, jobId))) throw notFound('job', jobId);
      const options = replayOptions(upload.options);
      await requireIngest(access, actor, upload.datasetId, options);
      const isHidden =
        isRestricted(upload.options) &&
        !(await seesRestricted(actor, upload.datasetId, upload.options.minimumLabel));
      if (!isHidden) await requireUse(actor, options);
      await requireReplaced(jobId, upload.options);
      const rows = await mendedRows(jobId, body, upload.options, isHidden);
      const announced: string[] = [];
      try {
        const [uploadId, replayId] = [ids.uuid(), ids.uuid()];
        const newFiles: NewFile[] = [];
        for (const ofFile of Map.groupBy(rows, ({ reject }) => reject.fileId).values())
          newFiles.push(await storeFile(uploadId, newFiles.length, ofFile, announced));
        const replay = {
          id: uploadId,
          datasetId: upload.datasetId,
          jobId: replayId,
          options,
          customMetadata: undefined,
          createdAt: clock.now(),
          files: newFiles,
        };
        const rejects = rows.map(({ reject }) => reject);
        return await startIngestJob(startJob, actor, replay, { replayOf: jobId }, async (trx) => {
          const taken = await repository.take(trx, rejects, replayId);
          if (taken === undefined) return;
          if (taken.replayJobId === null) throw notFound('rejected row', idOf(taken));
          throw replayedAlready(idOf(taken), taken.replayJobId);
        });
      } catch (error) {
        await drops.giveUp(announced);
        throw error;
      }
    },
  };
};

const mendedName = (name: string): string => `${name.slice(0, 200)} (mended rows).ndjson`;

const takesLabelsFromFields = ({ securityLabelInfo }: IngestOptions): boolean =>
  labelFieldsOf(securityLabelInfo).length > 0;

const replayedAlready = (id: string, jobId: string): Error =>
  conflict(`The row "${id}" was replayed by the job "${jobId}". A rejected row can be replayed once.`);

async function* linesOf(lines: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* lines;
}
