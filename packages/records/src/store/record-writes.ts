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

/** A write that was read in full and has no fault, ready to be stored. */
export interface PreparedWrite {
  /** The distinct labels of its records, canonical. The empty label is among them when a record has none. */
  labels: readonly string[];
  /** Records to store: new ones, and those that replace others. */
  added: number;
  replacing: number;
  /** Records that got the replacement label, and records that were left out. */
  relabelled: number;
  dropped: number;
  /** Records of a block that were left out because they are at fault. */
  rejects: readonly RejectedRecord[];
  /** The id of the first new record, if there is one. */
  firstId: string | undefined;
  /** For `write` alone. */
  batch: BatchSummary;
  parsed: ParsedWrite;
  again: () => Promise<BatchSummary>;
  /** The moment of the write, in milliseconds since 1970 UTC. */
  now: number;
}

export interface WriteRequest {
  datasetId: string;
  prepared: PreparedWrite;
  visible: VisibleLabels;
  /** Whether the writer may change the labels of records that they see. */
  mayRelabel: boolean;
  /** The version of the labels of columns that the records are written under: with each, labels have numbers of their own. */
  columnVersion: number;
  /** Told how many records get which label, when the write is decided and before it is stored; an error ends it. */
  decided?: ((labels: ReadonlyMap<string, number>) => Promise<void>) | undefined;
  /**
   * Given for a block of an ingest, which is stored by itself: called when it is. Nothing is deleted, replaced, relabelled or
   * cleared in the dataset between `decided` and the end of this call.
   */
  blockStored?: (() => Promise<void>) | undefined;
}

export interface RecordWrites {
  /**
   * Reads the records and makes their rows. Nothing is stored.
   * @throws RedoubtError 400 or 413 that names the index of the first record at fault, or 400 for too many fields
   */
  prepare(request: PrepareRequest): Promise<PreparedWrite>;
  /**
   * Stores a prepared write as one whole. It is on disk and visible when this resolves.
   * @throws RedoubtError 404 when a record to replace is absent or hidden, 403 for a new label without authority
   */
  write(request: WriteRequest): Promise<void>;
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

const textsById = (labels: readonly InternedLabel[]): [number, string][] =>
  labels.map(({ id, expression }) => [id, expression]);

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

  /** Gives labels and new paths their numbers. */
  async function number({ datasetId, prepared, columnVersion }: WriteRequest): Promise<{
    batch: BatchSummary;
    labelIds: number[];
  }> {
    const labelIds = await cache.labelIds(datasetId, prepared.labels, columnVersion);
    const batch = await withPathIds(datasetId, prepared.batch, prepared.again);
    return { batch, labelIds };
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
    { datasetId, prepared, visible: { hidden } }: WriteRequest,
    replacements: readonly Replacement[],
  ): Promise<RowsSummary> {
    const { parsed, now } = prepared;
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
    { datasetId, visible, columnVersion }: WriteRequest,
    ids: readonly number[],
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

  return {
    async prepare(request) {
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
      const again = async (): Promise<BatchSummary> =>
        parsed.prepare({ ...options, knownPaths: await cache.pathEntries(datasetId) });
      const batch = await again();
      await requireFewPaths(request, batch);
      return {
        labels: batch.labels,
        added: batch.inserts.shapes.reduce((sum, { count }) => sum + count, 0),
        replacing: batch.updates.recordIds.length,
        relabelled: batch.replaced,
        dropped: batch.dropped,
        rejects: batch.rejects,
        firstId: batch.firstId,
        batch,
        parsed,
        again,
        now,
      };
    },

    async write(write) {
      const { datasetId, prepared, visible, mayRelabel } = write;
      if (prepared.added + prepared.replacing === 0) return;
      const { batch, labelIds } = await number(write);
      const { inserts, updates, hasLabelInfo: relabels } = batch;
      const { rowsOf } = prepared.parsed;
      const labelTexts = labelIds.map((id, index): [number, string] => [id, prepared.labels[index] ?? '']);
      if (prepared.replacing > 0) {
        await commit.alone(datasetId, async () => {
          const known = await cache.labels(datasetId, visible.version);
          const request = {
            datasetId,
            inserts,
            updates,
            rowsOf,
            mark: random.bytes(4).readUInt32BE() >>> 1,
            labelIds,
            relabels,
            visible,
            mayRelabel,
            labels: known,
            decided: async (changes: readonly CounterDelta[]) =>
              write.decided?.(countsOf(changes, new Map([...textsById(known), ...labelTexts]))),
            present: async (ids: readonly number[]) => presentIds(write, ids),
            prepareUpdates: async (replacements: readonly Replacement[]) =>
              prepareUpdates(write, replacements),
          };
          // A write that the engine carried out in part is finished with the next one: then all is counted anew.
          const wasUnfinished = replacing.isUnfinished(datasetId);
          const changes = await replacing.replace(request).catch((fault: unknown) => {
            if (!(fault instanceof RedoubtError) || fault.name === 'AccumuloError')
              counters.forget(datasetId);
            throw fault;
          });
          if (wasUnfinished) counters.forget(datasetId);
          else counters.apply(datasetId, () => changes);
        });
        // The write is stored, whatever becomes of these.
        await copies.removeOutdated(datasetId).catch(() => undefined);
        return;
      }
      const decided = async (): Promise<void> =>
        write.decided?.(countsOf(toCounterDeltas(inserts, labelIds), new Map(labelTexts)));
      const rows = async (): Promise<Buffer> =>
        rowsOf(
          'inserts',
          labelIds.map((id) => `${String(id)}\t`),
        );
      const stored = (): void => {
        counters.apply(datasetId, () => toCounterDeltas(inserts, labelIds));
      };
      const { blockStored } = write;
      try {
        if (blockStored === undefined) {
          await decided();
          await commit.add(datasetId, await rows(), stored);
          return;
        }
        const data = await rows();
        await commit.single(datasetId, async (store) =>
          replacing.beside(datasetId, async () => {
            await decided();
            await store(data, stored);
            await blockStored();
          }),
        );
      } catch (fault) {
        // Where the engine is gone nobody knows whether it stored the rows.
        counters.forget(datasetId);
        throw fault;
      }
    },
  };
}
