import type { FileReceipt, JobReceipt, ListQuery, RejectedRow } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import { messagesFormat } from '@redoubt/file-formats';
import type { Member } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { WiredJobs } from '../jobs/index.ts';
import type { IngestOptions } from './ingest-options.ts';
import type { IngestFile, IngestRepository, StoredUpload } from './ingest.repository.ts';
import type { FilePart, ReceiptRepository } from './receipt.repository.ts';
import { createSatisfiesMinimum } from './satisfies-minimum.ts';
import type { FindVisibleFiles, VisibleFiles } from './visible-files.ts';
import type { RejectsRepository } from './rejects.repository.ts';
import { isRestricted, type SeesRestrictedRejects } from './restricted-rejects.ts';
import type { ReplacementRepository } from './replacement.repository.ts';

export interface ReceiptService {
  /**
   * Returns the outcome of the rows of a job, as far as they are visible to the actor.
   * @param part which files to list; the sums are over all
   */
  get(actor: Member, jobId: string, part: FilePart): Promise<JobReceipt>;
  /** The rejected rows of jobs of a dataset that the actor started. */
  rejects(actor: Member, datasetId: string, list: ListQuery): Promise<Page<RejectedRow>>;
}

export interface ReceiptServiceDeps {
  findVisible: FindVisibleFiles;
  hasStarted: WiredJobs['hasStarted'];
  repository: Pick<IngestRepository, 'datasetOfJob' | 'uploadOf'>;
  receipts: ReceiptRepository;
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

const toReadersReceipt = (file: IngestFile, { counts, nameOf }: VisibleFiles): FileReceipt => ({
  id: file.id,
  name: nameOf(file),
  status: null,
  written: counts.get(file.id) ?? 0,
  ...hiddenMeasures,
  ...hiddenCounts,
});

/** How many of these files contain visible records, and of how many records. */
const countSeen = (ids: readonly string[], counts: ReadonlyMap<string, number>) => {
  const seen = ids.filter((id) => (counts.get(id) ?? 0) > 0);
  return { seen, written: seen.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0) };
};

export const createReceiptService = ({
  findVisible,
  hasStarted,
  repository,
  receipts,
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
    part: FilePart,
  ): Promise<JobReceipt> => {
    const replacement = await replacements.of(jobId);
    const isStored = upload?.options.write?.mode !== 'replace' || replacement?.state === 'done';
    const { rejected, dropped, duplicate, replaced, replayed, ...sums } = await receipts.sums(jobId);
    // Rows that wait to replace records are not stored yet.
    const written = isStored ? sums.written : 0;
    const files = await receipts.files(jobId, part);
    return {
      jobId,
      datasetId,
      uploadId: upload?.id ?? null,
      files: files.map((file) => toWholeReceipt(isStored ? file : { ...file, written: 0 })),
      fileCount: sums.files,
      written,
      received: written + rejected + dropped + duplicate,
      rejected,
      dropped,
      duplicate,
      replaced: replaced + (isStored ? (replacement?.replaced ?? 0) : 0),
      replayed,
    };
  };

  const seenBy = async (
    actor: Member,
    jobId: string,
    datasetId: string,
    { skip, limit }: FilePart,
  ): Promise<JobReceipt | undefined> => {
    const visible = await findVisible(actor, datasetId);
    const { seen, written } = countSeen(await receipts.fileIds(jobId), visible.counts);
    if (seen.length === 0) return undefined;
    const files = await receipts.filesWithIds(jobId, seen.slice(skip, skip + limit));
    return {
      jobId,
      datasetId,
      uploadId: null,
      files: files.map((file) => toReadersReceipt(file, visible)),
      fileCount: seen.length,
      written,
      ...hiddenCounts,
    };
  };

  /** The receipt of a job that read through a stored connection: sums over the labels that its starter satisfies. */
  const limited = async (
    actor: Member,
    { files, ...receipt }: JobReceipt,
    { minimumLabel, reading }: IngestOptions,
    part: FilePart,
  ): Promise<JobReceipt> => {
    const { jobId, datasetId } = receipt;
    const seesRejects = await seesRestricted(actor, datasetId, minimumLabel);
    const limit = <Counts extends Pick<JobReceipt, 'rejected' | 'replayed'>>(
      all: Counts,
      written: number,
    ) => ({
      ...all,
      ...hiddenCounts,
      written,
      ...(seesRejects ? { rejected: all.rejected, replayed: all.replayed } : {}),
    });
    if (reading?.format === messagesFormat) {
      // Segments of a topic are as many as the cluster has sent, also where the starter sees none of their records.
      const visible = await seenBy(actor, jobId, datasetId, part);
      const { written = 0, fileCount = 0 } = visible ?? {};
      return { ...limit(receipt, written), files: visible?.files ?? [], fileCount };
    }
    const { counts } = await findVisible(actor, datasetId);
    const { written } = countSeen(await receipts.fileIds(jobId), counts);
    const measures = (await satisfiesMinimum(actor, { minimumLabel })) ? {} : hiddenMeasures;
    const shown = files.map((file) => ({ ...limit(file, counts.get(file.id) ?? 0), ...measures }));
    return { ...limit(receipt, written), files: shown };
  };

  return {
    get: async (actor, jobId, part) => {
      const found = await repository.datasetOfJob(actor.workspace.uniqueId, jobId);
      if (found === undefined) throw notFound('receipt of a job', jobId);
      const { datasetId, isRemoved } = found;
      if (!isRemoved && (await hasStarted(actor, jobId))) {
        const upload = await repository.uploadOf(jobId);
        const receipt = await whole(jobId, datasetId, upload, part);
        return upload !== undefined && isRestricted(upload.options)
          ? limited(actor, receipt, upload.options, part)
          : receipt;
      }
      const receipt = await seenBy(actor, jobId, datasetId, part);
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
