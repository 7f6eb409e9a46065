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
import type { RecordSource } from '../intake/record-source.ts';
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
  /** Undefined or null if the write has no label info. */
  labelInfo: SecurityLabelInfo | null | undefined;
  /** What is visible to the writer; nothing for writers who may not read. */
  visible: VisibleLabels;
  /** Set for a block of an ingest: wrong records are left out and listed. */
  block?:
    | {
        /** The parts of record ids: the time in milliseconds since 1970 UTC, and random bytes for all records. */
        time: number;
        random: Buffer;
        /** The rows of the file that the records come from. */
        source: RecordSource;
      }
    | undefined;
}

export interface CommitOptions {
  /** Whether the writer may change the labels of visible records. */
  mayRelabel: boolean;
  /** The version of the column labels for this write. Labels get new ids for each version. */
  columnVersion: number;
  /** Called with the number of records for each label right before they are stored. An error ends the write. */
  onDecided?: ((labels: ReadonlyMap<string, number>) => Promise<void>) | undefined;
  /**
   * Set for a block of an ingest, which is stored separately: called when it is stored. Nothing is deleted, replaced, relabelled
   * or cleared in the dataset between `onDecided` and the end of this call.
   */
  onBlockStored?: (() => Promise<void>) | undefined;
}

/** A completely parsed write. Nothing is stored before `commit`. */
export interface PreparedWrite {
  /** The distinct canonical labels of its records, including the empty label if a record has none. */
  readonly labels: readonly string[];
  /** How many new records to store, without replacements. */
  readonly added: number;
  readonly replacing: number;
  /** How many records got the label of `replacementString`; `dropped` were left out. */
  readonly relabelled: number;
  readonly dropped: number;
  /** The wrong records of a block, which were left out. */
  readonly rejects: readonly RejectedRecord[];
  /** The id of the first new record, if there is one. */
  readonly firstId: string | undefined;
  /**
   * Stores all records or none. Call it once. They are durable and visible when it resolves.
   * @throws RedoubtError 404 if a record to replace is absent or hidden, 403 for a label that the writer may not change
   */
  commit(options: CommitOptions): Promise<void>;
}

export interface RecordWrites {
  /**
   * Parses the records and creates their rows. They belong to `parsed`, which you release after the commit.
   * @throws RedoubtError 400 or 413 with the index of the first wrong record, or 400 for too many fields
   */
  prepareWrite(request: PrepareRequest): Promise<PreparedWrite>;
}

export interface RecordWritesDeps {
  cache: CatalogCache;
  commit: GroupCommit;
  counters: Counters;
  /** The codes of `fields` in visible records. */
  visibleCodes: Counters['visibleCodes'];
  replacing: RecordReplacements;
  copies: Pick<SummaryCopies, 'removeOutdated'>;
  clock: { now(): Date };
  random: { bytes(size: number): Buffer };
  limits: StoreLimits;
}

/** A batch of records with the ids of their labels. */
interface NumberedBatch {
  batch: BatchSummary;
  /** The ids in the order of the labels of the batch. */
  labelIds: number[];
}

const textsById = (labels: readonly InternedLabel[]): [number, string][] =>
  labels.map(({ id, expression }) => [id, expression]);

const textsOf = (labelIds: readonly number[], labels: readonly string[]): [number, string][] =>
  labelIds.map((id, index) => [id, labels[index] ?? '']);

/** Counts the records that are stored under each label; removals are ignored. */
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
    // Hidden fields must not cause an error, so only visible ones count. Count them only if the limit can be exceeded.
    if (known.length + news <= limits.maxPaths) return;
    const seen = new Set<number>();
    for (const code of await visibleCodes(datasetId, visible)) seen.add(pathOfCode(code));
    const unseen = batch.paths.filter(({ id }) => !seen.has(id)).length;
    // A write without new fields is never rejected because of fields that others added.
    if (unseen > 0 && seen.size + unseen > limits.maxPaths) throw tooManyPaths(limits.maxPaths);
  }

  /** Assigns ids to new paths. Parses the records again in the rare case that another write got the expected ids. */
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
    { datasetId, parsed, visible: { hidden }, block }: PrepareRequest,
    replacements: readonly Replacement[],
    now: number,
  ): Promise<RowsSummary> {
    const prepare = async () =>
      parsed.prepareReplacements({
        replacements,
        hidden,
        now,
        source: block?.source,
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

  /** Stores a write with replacements. */
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
      // The next write completes one that the engine stored only in part; then all records are counted again.
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
    // The write is stored, even if this fails.
    await copies.removeOutdated(datasetId).catch(() => undefined);
  }

  /** Stores a write without replacements. */
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
      // If the engine became unavailable, the rows may or may not be stored.
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
        source: block?.source,
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
