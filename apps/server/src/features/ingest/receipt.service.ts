import type { FileReceipt, JobReceipt, ListQuery, RejectedRow } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import { messagesFormat } from '@redoubt/file-formats';
import type { Member } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { WiredJobs } from '../jobs/index.ts';
import type { IngestOptions } from './ingest-options.ts';
import type { IngestFile, IngestRepository, StoredUpload } from './ingest.repository.ts';
import { createSatisfiesMinimum } from './satisfies-minimum.ts';
import type { CountVisibleRecords } from './visible-files.ts';
import type { RejectsRepository } from './rejects.repository.ts';
import { isRestricted, type SeesRestrictedRejects } from './restricted-rejects.ts';
import type { ReplacementRepository } from './replacement.repository.ts';

export interface ReceiptService {
  /** Returns the outcome of the rows of a job, as far as they are visible to the actor. */
  get(actor: Member, jobId: string): Promise<JobReceipt>;
  /** The rejected rows of jobs of a dataset that the actor started. */
  rejects(actor: Member, datasetId: string, list: ListQuery): Promise<Page<RejectedRow>>;
}

export interface ReceiptServiceDeps {
  countVisible: CountVisibleRecords;
  hasStarted: WiredJobs['hasStarted'];
  repository: Pick<IngestRepository, 'datasetOfJob' | 'filesOf' | 'uploadOf'>;
  rejects: Pick<RejectsRepository, 'list' | 'minimumLabels'>;
  replacements: Pick<ReplacementRepository, 'of'>;
  seesRestricted: SeesRestrictedRejects;
  held: Pick<HeldAttributes, 'heldTokens'>;
}

const toWholeReceipt = (file: IngestFile): FileReceipt => {
  const { written, rejected, dropped, duplicate } = file;
  return {
    id: file.id,
    name: file.name,
    status: file.status,
    error: file.error,
    size: file.size,
    sha256: file.sha256,
    containers: file.containers === null ? null : (JSON.parse(file.containers) as string[]),
    received: written + rejected + dropped + duplicate,
    written,
    rejected,
    dropped,
    duplicate,
    replaced: file.replaced,
    isUnchanged: file.isUnchanged,
    replayed: file.replayed,
  };
};

/** The counts that would disclose how many rows are hidden. */
const hiddenCounts = {
  received: null,
  rejected: null,
  dropped: null,
  duplicate: null,
  replaced: null,
  replayed: null,
} as const;

/** What would measure or repeat hidden rows. */
const hiddenMeasures = {
  size: null,
  sha256: null,
  containers: null,
  error: null,
  isUnchanged: null,
} as const;

const toReadersReceipt = ({ id, readerName }: IngestFile, written: number): FileReceipt => ({
  id,
  name: readerName,
  status: null,
  written,
  ...hiddenMeasures,
  ...hiddenCounts,
});

const sumOf = (
  files: readonly FileReceipt[],
  count: 'dropped' | 'duplicate' | 'received' | 'rejected' | 'replaced' | 'replayed' | 'written',
) => files.reduce((sum, file) => sum + (file[count] ?? 0), 0);

export const createReceiptService = ({
  countVisible,
  hasStarted,
  repository,
  rejects,
  replacements,
  seesRestricted,
  held,
}: ReceiptServiceDeps): ReceiptService => {
  const satisfiesMinimum = createSatisfiesMinimum(held);
  const whole = async (
    jobId: string,
    datasetId: string,
    upload: StoredUpload | undefined,
  ): Promise<JobReceipt> => {
    const replacement = await replacements.of(jobId);
    const isStored = upload?.options.write?.mode !== 'replace' || replacement?.state === 'done';
    // Rows that wait to replace records are not stored yet.
    const files = (await repository.filesOf(jobId)).map((file) =>
      toWholeReceipt(isStored ? file : { ...file, written: 0 }),
    );
    return {
      jobId,
      datasetId,
      uploadId: upload?.id ?? null,
      files,
      written: sumOf(files, 'written'),
      received: sumOf(files, 'received'),
      rejected: sumOf(files, 'rejected'),
      dropped: sumOf(files, 'dropped'),
      duplicate: sumOf(files, 'duplicate'),
      replaced: sumOf(files, 'replaced') + (isStored ? (replacement?.replaced ?? 0) : 0),
      replayed: sumOf(files, 'replayed'),
    };
  };

  const seenBy = async (actor: Member, jobId: string, datasetId: string): Promise<JobReceipt | undefined> => {
    const counts = await countVisible(actor, datasetId);
    const files = (await repository.filesOf(jobId)).flatMap((file) => {
      const count = counts.get(file.id) ?? 0;
      return count === 0 ? [] : [toReadersReceipt(file, count)];
    });
    if (files.length === 0) return undefined;
    return {
      jobId,
      datasetId,
      uploadId: null,
      files,
      written: sumOf(files, 'written'),
      ...hiddenCounts,
    };
  };

  /** The receipt of a job that read through a stored connection: sums over the labels that its starter satisfies. */
  const limited = async (
    actor: Member,
    { files, ...receipt }: JobReceipt,
    { minimumLabel, reading }: IngestOptions,
  ): Promise<JobReceipt> => {
    const counts = await countVisible(actor, receipt.datasetId);
    const seesRejects = await seesRestricted(actor, receipt.datasetId, minimumLabel);
    const limit = <Counts extends Pick<JobReceipt, 'rejected' | 'replayed'>>(
      whole: Counts,
      written: number,
    ) => ({
      ...whole,
      ...hiddenCounts,
      written,
      ...(seesRejects ? { rejected: whole.rejected, replayed: whole.replayed } : {}),
    });
    const measures = (await satisfiesMinimum(actor, { minimumLabel })) ? {} : hiddenMeasures;
    const shown = files.map((file) => ({ ...limit(file, counts.get(file.id) ?? 0), ...measures }));
    const whole = { ...limit(receipt, sumOf(shown, 'written')), files: shown };
    if (reading?.format !== messagesFormat) return whole;
    // Segments of a topic are as many as the cluster has sent, also where the starter sees none of their records.
    const visible = await seenBy(actor, receipt.jobId, receipt.datasetId);
    return { ...whole, files: visible?.files ?? [] };
  };

  return {
    get: async (actor, jobId) => {
      const found = await repository.datasetOfJob(actor.workspace.uniqueId, jobId);
      if (found === undefined) throw notFound('receipt of a job', jobId);
      const { datasetId, isRemoved } = found;
      if (!isRemoved && (await hasStarted(actor, jobId))) {
        const upload = await repository.uploadOf(jobId);
        const receipt = await whole(jobId, datasetId, upload);
        return upload !== undefined && isRestricted(upload.options)
          ? limited(actor, receipt, upload.options)
          : receipt;
      }
      const receipt = await seenBy(actor, jobId, datasetId);
      if (receipt === undefined) throw notFound('receipt of a job', jobId);
      return receipt;
    },
    rejects: async (actor, datasetId, list) => {
      const shown: string[] = [];
      for (const label of await rejects.minimumLabels(datasetId))
        if (await seesRestricted(actor, datasetId, label)) shown.push(label);
      return rejects.list(actor, datasetId, list, shown);
    },
  };
};
