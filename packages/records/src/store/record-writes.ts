import { RedoubtError } from '@redoubt/errors';
import type { InternedLabel, SecurityLabelInfo, VisibleLabels } from '@redoubt/labels';
import type { ParsedWrite } from '../intake/intake.ts';
import type { WrittenPath } from '../intake/path-registry.ts';
import {
  tooManyPaths,
  type BatchSummary,
  type PrepareOptions,
  type RejectedRecord,
} from '../intake/prepare-batch.ts';
import type { Replacement } from '../intake/prepare-replacements.ts';
import type { RowsSummary } from '../intake/prepared-rows.ts';
import { randomBytesPerId } from '../intake/record-ids.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { toCounterDeltas, type CounterDelta, type Counters } from './counters.ts';
import type { GroupCommit } from './group-commit.ts';
import type { RecordReplacements } from './record-replacements.ts';
import type { StoreLimits } from './store-limits.ts';
import type { SummaryCopies } from './summary-copies.ts';
import { pathOfCode } from '@redoubt/query';

export interface PrepareRequest {
  datasetId: string;
  parsed: ParsedWrite;
  /** Undefined or null: the write says nothing of labels. */
  labelInfo: SecurityLabelInfo | null | undefined;
  /** What the writer sees; nothing for writers who may not read. */
  visible: VisibleLabels;
  /** Given for a block of an ingest: records at fault are left out and listed. */
  block?:
    | {
        /** What record ids are made of: the time in milliseconds since 1970 UTC, and enough bytes for all of its records. */
        time: number;
        random: Buffer;
      }
    | undefined;
}

export interface CommitOptions {
  /** Whether the writer may change the labels of records that they see. */
  mayRelabel: boolean;
  /** The version of the labels of columns that the records are written under: with each, labels have numbers of their own. */
  columnVersion: number;
  /** Called with the number of records for each label once the write is decided and before it is stored; an error ends it. */
  onDecided?: ((labels: ReadonlyMap<string, number>) => Promise<void>) | undefined;
  /**
   * Given for a block of an ingest, which is stored by itself: called when it is. Nothing is deleted, replaced, relabelled or
   * cleared in the dataset between `onDecided` and the end of this call.
   */
  onBlockStored?: (() => Promise<void>) | undefined;
}

/** A write that was read in full. Nothing is stored before `commit`. */
export interface PreparedWrite {
  /** The distinct labels of its records, canonical. The empty label is among them when a record has none. */
  readonly labels: readonly string[];
  /** Records to store: new ones, and those that replace others. */
  readonly added: number;
  readonly replacing: number;
  /** Records that got the replacement label, and records that were left out. */
  readonly relabelled: number;
  readonly dropped: number;
  /** Records of a block that were left out because they are at fault. */
  readonly rejects: readonly RejectedRecord[];
  /** The id of the first new record, if there is one. */
  readonly firstId: string | undefined;
  /**
   * Stores the records as one whole; to be called once. They are on disk and visible when this resolves.
   * @throws RedoubtError 404 when a record to replace is absent or hidden, 403 for a new label without authority
   */
  commit(options: CommitOptions): Promise<void>;
}

export interface RecordWrites {
  /**
   * Reads the records and makes their rows. They belong to `parsed`, which is released after the commit.
   * @throws RedoubtError 400 or 413 that names the index of the first record at fault, or 400 for too many fields
   */
  prepareWrite(request: PrepareRequest): Promise<PreparedWrite>;
}

export interface RecordWritesDeps {
  cache: CatalogCache;
  commit: GroupCommit;
  counters: Counters;
  /** The codes of `fields` that the reader sees. */
  visibleCodes: Counters['visibleCodes'];
  replacing: RecordReplacements;
  copies: Pick<SummaryCopies, 'removeOutdated'>;
  clock: { now(): Date };
  random: { bytes(size: number): Buffer };
  limits: StoreLimits;
}

/** A batch of records whose labels have numbers. */
interface NumberedBatch {
  batch: BatchSummary;
  /** In the order of the labels of the batch. */
  labelIds: number[];
}

const textsById = (labels: readonly InternedLabel[]): [number, string][] =>
  labels.map(({ id, expression }) => [id, expression]);

const textsOf = (labelIds: readonly number[], labels: readonly string[]): [number, string][] =>
  labelIds.map((id, index) => [id, labels[index] ?? '']);

/** How many records come with which label. */
function countsOf(
  changes: readonly CounterDelta[],
  labels: ReadonlyMap<number, string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { labelId, count } of changes) {
    const label = labels.get(labelId);
    if (count < 0) continue;
    if (label === undefined) throw new Error('A record is to be stored under a label that nobody knows.');
    counts.set(label, (counts.get(label) ?? 0) + count);
  }
  return counts;
}

export function createRecordWrites(deps: RecordWritesDeps): RecordWrites {
  const { cache, commit, counters, visibleCodes, replacing, copies, clock, random, limits } = deps;

  async function requireFewPaths({ datasetId, visible }: PrepareRequest, batch: BatchSummary): Promise<void> {
    const known = await cache.paths(datasetId);
    const news = batch.paths.filter(({ isNew }) => isNew).length;
    // What the writer does not see must not be felt, so the count is theirs; it is taken where it can matter at all.
    if (known.length + news <= limits.maxPaths) return;
    const seen = new Set<number>();
    for (const code of await visibleCodes(datasetId, visible)) seen.add(pathOfCode(code));
    const unseen = batch.paths.filter(({ id }) => !seen.has(id)).length;
    // Who adds no field is not refused for those that others have added.
    if (unseen > 0 && seen.size + unseen > limits.maxPaths) throw tooManyPaths(limits.maxPaths);
  }

  /** Gives new paths their numbers; reads the records again in the rare case that others got them first. */
  async function withPathIds<Prepared extends { paths: WrittenPath[] }>(
    datasetId: string,
    first: Prepared,
    again: () => Promise<Prepared>,
  ): Promise<Prepared> {
    for (let prepared = first; ; prepared = await again()) {
      const asked = prepared.paths.filter(({ isNew, isWider }) => isNew || isWider);
      const ids = await cache.internPaths(datasetId, asked);
      if (asked.every(({ id }, index) => id === ids[index])) return prepared;
    }
  }

  /** See `ReplaceRequest.prepareUpdates`. */
  async function prepareUpdates(
    { datasetId, parsed, visible: { hidden } }: PrepareRequest,
    replacements: readonly Replacement[],
    now: number,
  ): Promise<RowsSummary> {
    const prepare = async () =>
      parsed.prepareReplacements({
        replacements,
        hidden,
        now,
        knownPaths: await cache.pathEntries(datasetId),
      });
    return (await withPathIds(datasetId, await prepare(), prepare)).rows;
  }

  /** See `ReplaceRequest.present`. */
  async function presentIds(
    { datasetId, visible }: PrepareRequest,
    ids: readonly number[],
    columnVersion: number,
  ): Promise<ReadonlyMap<number, number>> {
    const labels = await cache.labels(datasetId, visible.version);
    const known = ids.flatMap((id) => {
      const label = labels[id];
      return label === undefined ? [] : [{ id, expression: label.expression }];
    });
    const expressions = known.map(({ expression }) => expression);
    const present = await cache.labelIds(datasetId, expressions, columnVersion);
    const pairs = known.map(({ id }, index): [number, number] => [id, present[index] ?? id]);
    return new Map(pairs.filter(([before, after]) => before !== after));
  }

  /** Stores records of which some replace others. */
  async function commitReplacements(
    request: PrepareRequest,
    { batch, labelIds }: NumberedBatch,
    now: number,
    { mayRelabel, columnVersion, onDecided }: CommitOptions,
  ): Promise<void> {
    const { datasetId, parsed, visible } = request;
    const { inserts, updates, labels, hasLabelInfo: relabels } = batch;
    await commit.alone(datasetId, async () => {
      const known = await cache.labels(datasetId, visible.version);
      const texts = new Map([...textsById(known), ...textsOf(labelIds, labels)]);
      // A write that the engine carried out in part is finished with the next one: then all is counted anew.
      const wasUnfinished = replacing.isUnfinished(datasetId);
      const changes = await replacing
        .replace({
          datasetId,
          inserts,
          updates,
          rowsOf: parsed.rowsOf,
          mark: random.bytes(4).readUInt32BE() >>> 1,
          labelIds,
          relabels,
          visible,
          mayRelabel,
          labels: known,
          decided: async (decided) => onDecided?.(countsOf(decided, texts)),
          present: async (ids) => presentIds(request, ids, columnVersion),
          prepareUpdates: async (replacements) => prepareUpdates(request, replacements, now),
        })
        .catch((fault: unknown) => {
          if (!(fault instanceof RedoubtError) || fault.name === 'AccumuloError') counters.forget(datasetId);
          throw fault;
        });
      if (wasUnfinished) counters.forget(datasetId);
      else counters.apply(datasetId, () => changes);
    });
    // The write is stored, whatever becomes of these.
    await copies.removeOutdated(datasetId).catch(() => undefined);
  }

  /** Stores records that are all new. */
  async function commitInserts(
    { datasetId, parsed }: PrepareRequest,
    { batch: { inserts, labels }, labelIds }: NumberedBatch,
    { onDecided, onBlockStored }: CommitOptions,
  ): Promise<void> {
    const decided = async (): Promise<void> =>
      onDecided?.(countsOf(toCounterDeltas(inserts, labelIds), new Map(textsOf(labelIds, labels))));
    const rows = async (): Promise<Buffer> =>
      parsed.rowsOf(
        'inserts',
        labelIds.map((id) => `${String(id)}\t`),
      );
    const stored = (): void => {
      counters.apply(datasetId, () => toCounterDeltas(inserts, labelIds));
    };
    try {
      if (onBlockStored === undefined) {
        await decided();
        await commit.add(datasetId, await rows(), stored);
        return;
      }
      const data = await rows();
      await commit.single(datasetId, async (store) =>
        replacing.beside(datasetId, async () => {
          await decided();
          await store(data, stored);
          await onBlockStored();
        }),
      );
    } catch (fault) {
      // Where the engine is gone nobody knows whether it stored the rows.
      counters.forget(datasetId);
      throw fault;
    }
  }

  return {
    async prepareWrite(request) {
      const { datasetId, parsed, labelInfo } = request;
      const { block } = request;
      const now = block?.time ?? clock.now().getTime();
      const options: Omit<PrepareOptions, 'knownPaths'> = {
        labelInfo,
        now,
        random: block?.random ?? random.bytes(parsed.count * randomBytesPerId),
        limits,
        collectsRejects: block !== undefined,
      };
      const prepareBatch = async (): Promise<BatchSummary> =>
        parsed.prepare({ ...options, knownPaths: await cache.pathEntries(datasetId) });
      const first = await prepareBatch();
      await requireFewPaths(request, first);
      const added = first.inserts.shapes.reduce((sum, { count }) => sum + count, 0);
      const replaced = first.updates.recordIds.length;
      return {
        labels: first.labels,
        added,
        replacing: replaced,
        relabelled: first.replaced,
        dropped: first.dropped,
        rejects: first.rejects,
        firstId: first.firstId,
        async commit(commitOptions) {
          if (added + replaced === 0) return;
          const labelIds = await cache.labelIds(datasetId, first.labels, commitOptions.columnVersion);
          const batch = await withPathIds(datasetId, first, prepareBatch);
          if (replaced > 0) await commitReplacements(request, { batch, labelIds }, now, commitOptions);
          else await commitInserts(request, { batch, labelIds }, commitOptions);
        },
      };
    },
  };
}
