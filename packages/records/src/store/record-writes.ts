import { RedoubtError } from '@redoubt/errors';
import type { SecurityLabelInfo, VisibleLabels } from '@redoubt/labels';
import { freeMemory } from '../intake/free-memory.ts';
import type { ParsedWrite } from '../intake/intake.ts';
import type { WrittenPath } from '../intake/path-registry.ts';
import {
  tooManyPaths,
  type BatchSummary,
  type PrepareOptions,
  type RejectedRecord,
} from '../intake/prepare-batch.ts';
import type { Replacement, ReplacementsSummary } from '../intake/prepare-replacements.ts';
import type { RecordSource } from '../intake/record-source.ts';
import { randomBytesPerId } from '../intake/record-ids.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { toCounterDeltas, type Counters } from './counters.ts';
import type { GroupCommit } from './group-commit.ts';
import { countsByLabel, expressionsById, expressionsOf } from './label-counts.ts';
import type { RecordReplacements } from './record-replacements.ts';
import type { ReplaceRequest } from './replace-request.ts';
import { stagedLabel } from './staged-labels.ts';
import type { StoreLimits } from './store-limits.ts';
import type { SummaryCopies } from './summary-copies.ts';
import { pathOfCode } from '@redoubt/query';

/** Parsed records to be written, with the visibility of their writer. */
export interface PrepareRequest {
  datasetId: string;
  parsed: ParsedWrite;
  /** Undefined or null if the write has no label info. */
  labelInfo: SecurityLabelInfo | null | undefined;
  /** A label that every record needs besides its own; null without one. */
  minimumLabel?: string | null | undefined;
  /** What is visible to the writer; nothing for writers who may not read. */
  visible: VisibleLabels;
  /** Set for a block of an ingest: records with errors are left out and listed. */
  block?:
    | {
        /** The time in the record ids, in milliseconds since 1970 UTC. */
        time: number;
        /** `randomBytesPerId` bytes for each record. */
        random: Buffer;
        /** The rows of the file that the records come from. */
        source: RecordSource;
      }
    | undefined;
}

/** What a write may change, and what to call while it is stored. */
export interface CommitOptions {
  /** Whether the writer may change the labels of visible records, unless `writer` says so. */
  mayRelabel: boolean;
  /** The version of the column labels at this write. Each version has its own label ids. */
  columnVersion: number;
  /**
   * Returns what is visible to the writer, whether they may change labels, and the version of the column labels. Called
   * right before records are replaced, while nothing else changes them: since `prepareWrite` they may have got a label
   * that is new to the dataset, and the writer may have lost rights. Throws if the writer may no longer replace records.
   * By default nothing has changed since.
   */
  writer?:
    | (() => Promise<{ visible: VisibleLabels; mayRelabel: boolean; columnVersion: number }>)
    | undefined;
  /** Called with the number of records for each label right before they are stored. An error ends the write. */
  onDecided?: ((labels: ReadonlyMap<string, number>) => Promise<void>) | undefined;
  /**
   * Set for a block of an ingest, which is stored in an insert of its own. Called after that insert. From `onDecided`
   * until this call ends, no record of the dataset is deleted, replaced or relabelled.
   */
  onBlockStored?: (() => Promise<void>) | undefined;
  /** The slot for the records of the block, where nobody sees them until `replaceVisible` makes them visible. */
  slot?: number | undefined;
  /** Whether the write runs alone: nothing else is stored in the dataset between `onDecided` and its end. */
  isAlone?: boolean | undefined;
}

/** A write whose records are parsed. Nothing is stored before `commit`. */
export interface PreparedWrite {
  /** The distinct canonical labels of its records, including the empty label if a record has none. */
  readonly labels: readonly string[];
  /** How many new records to store, without replacements. */
  readonly added: number;
  readonly replacing: number;
  /** How many records got the label of `replacementString`. */
  readonly relabelled: number;
  /** How many records were left out because of their label. */
  readonly dropped: number;
  /** The records of a block that were left out because of errors. */
  readonly rejects: readonly RejectedRecord[];
  /** The id of the first new record, if there is one. */
  readonly firstId: string | undefined;
  /** The id of the first record that is replaced, if there is one. */
  readonly firstReplaced: string | undefined;
  /**
   * Stores all records or none. They are durable and visible when it resolves. Call it once.
   * @throws RedoubtError 404 if a record to replace is absent or hidden, 403 for a label that the writer may not change
   */
  commit(options: CommitOptions): Promise<void>;
}

export interface RecordWrites {
  /**
   * Parses the records and creates their rows. `parsed` holds the rows, so release it only after the commit.
   * @throws RedoubtError 400 or 413 with the index of the first record with an error, or 400 for too many fields
   */
  prepareWrite(request: PrepareRequest): Promise<PreparedWrite>;
}

export interface RecordWritesDeps {
  cache: CatalogCache;
  commit: GroupCommit;
  counters: Counters;
  /** Returns the codes of the fields in visible records. */
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

export function createRecordWrites(deps: RecordWritesDeps): RecordWrites {
  const { cache, commit, counters, visibleCodes, replacing, copies, clock, random, limits } = deps;

  async function requireFewPaths({ datasetId, visible }: PrepareRequest, batch: BatchSummary): Promise<void> {
    const known = await cache.paths(datasetId);
    const newCount = batch.paths.filter(({ isNew }) => isNew).length;
    // Only visible fields count towards the limit, because hidden ones must not cause an error. They are counted only
    // if all fields together exceed it.
    if (known.length + newCount <= limits.maxPaths) return;
    const visibleIds = new Set<number>();
    for (const code of await visibleCodes(datasetId, visible)) visibleIds.add(pathOfCode(code));
    const addedCount = batch.paths.filter(({ id }) => !visibleIds.has(id)).length;
    // A write without new fields is never rejected because of fields that others added.
    if (addedCount > 0 && visibleIds.size + addedCount > limits.maxPaths) throw tooManyPaths(limits.maxPaths);
  }

  /**
   * Assigns ids to new paths. If another write got the expected ids first, which is rare, the records are parsed again.
   */
  async function withPathIds<Prepared extends { paths: WrittenPath[] }>(
    datasetId: string,
    first: Prepared,
    prepareAgain: () => Promise<Prepared>,
  ): Promise<Prepared> {
    for (let prepared = first; ; prepared = await prepareAgain()) {
      const changed = prepared.paths.filter(({ isNew, isWider }) => isNew || isWider);
      const ids = await cache.internPaths(datasetId, changed);
      if (changed.every(({ id }, index) => id === ids[index])) return prepared;
    }
  }

  /** See `ReplacementSteps.prepareRows`. */
  async function prepareReplacementRows(
    { datasetId, parsed, visible: { hidden }, block }: PrepareRequest,
    replacements: readonly Replacement[],
    now: number,
  ): Promise<ReplacementsSummary> {
    const prepare = async () =>
      parsed.prepareReplacements({
        replacements,
        hidden,
        now,
        source: block?.source,
        knownPaths: await cache.pathEntries(datasetId),
      });
    return withPathIds(datasetId, await prepare(), prepare);
  }

  /** See `ReplacementSteps.currentLabelIds`. */
  async function currentLabelIds(
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
    const current = await cache.labelIds(datasetId, expressions, columnVersion);
    const pairs = known.map(({ id }, index): [number, number] => [id, current[index] ?? id]);
    return new Map(pairs.filter(([before, after]) => before !== after));
  }

  /** Called while nothing else changes the records of the dataset. */
  async function createReplaceRequest(
    prepared: PrepareRequest,
    batch: BatchSummary,
    now: number,
    { writer, onDecided, onBlockStored, ...before }: CommitOptions,
  ): Promise<ReplaceRequest> {
    const { datasetId, parsed } = prepared;
    const { inserts, updates, labels, hasLabelInfo: relabels } = batch;
    const { visible, mayRelabel, columnVersion } = (await writer?.()) ?? {
      visible: prepared.visible,
      ...before,
    };
    const request = { ...prepared, visible };
    const labelIds = await cache.labelIds(datasetId, labels, columnVersion);
    const known = await cache.labels(datasetId, visible.version);
    const expressions = new Map([...expressionsById(known), ...expressionsOf(labelIds, labels)]);
    return {
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
      steps: {
        currentLabelIds: async (ids) => currentLabelIds(request, ids, columnVersion),
        prepareRows: async (replacements) => prepareReplacementRows(request, replacements, now),
        onDecided: async (changes) => onDecided?.(countsByLabel(changes, expressions)),
        onStored: async () => onBlockStored?.(),
      },
    };
  }

  async function commitReplacements(
    request: PrepareRequest,
    batch: BatchSummary,
    now: number,
    options: CommitOptions,
  ): Promise<void> {
    const { datasetId } = request;
    await commit.alone(datasetId, async () => {
      // `replace` first completes a write that the engine stored only in part. The counters lack that write, so they
      // are rebuilt.
      const wasUnfinished = replacing.isUnfinished(datasetId);
      const changes = await replacing
        .replace(datasetId, async () => createReplaceRequest(request, batch, now, options))
        .catch((error: unknown) => {
          if (!(error instanceof RedoubtError) || error.name === 'AccumuloError') counters.forget(datasetId);
          throw error;
        });
      if (wasUnfinished) counters.forget(datasetId);
      else counters.apply(datasetId, () => changes);
    });
    // The write is stored by now, so it succeeds even if this fails.
    await copies.removeOutdated(datasetId).catch(() => undefined);
  }

  async function commitInserts(
    { datasetId, parsed }: PrepareRequest,
    { batch: { inserts, labels }, labelIds }: NumberedBatch,
    { onDecided, onBlockStored, slot }: CommitOptions,
  ): Promise<void> {
    const reportCounts = async (): Promise<void> =>
      onDecided?.(
        countsByLabel(toCounterDeltas(inserts, labelIds), new Map(expressionsOf(labelIds, labels))),
      );
    const renderRows = async (): Promise<Buffer> =>
      parsed.rowsOf(
        'inserts',
        labelIds.map((id) => `${String(slot === undefined ? id : stagedLabel(slot, id))}\t`),
      );
    const countRows = (): void => {
      if (slot === undefined) counters.apply(datasetId, () => toCounterDeltas(inserts, labelIds));
    };
    try {
      if (onBlockStored === undefined) {
        await reportCounts();
        const data = await renderRows();
        await commit.add(datasetId, data, countRows);
        freeMemory(data.buffer);
        return;
      }
      const data = await renderRows();
      await commit.single(datasetId, async (store) =>
        replacing.beside(datasetId, async () => {
          await reportCounts();
          await store(data, countRows);
          freeMemory(data.buffer);
          await onBlockStored();
        }),
      );
    } catch (error) {
      // If the engine became unavailable, the rows may or may not be stored.
      counters.forget(datasetId);
      throw error;
    }
  }

  return {
    async prepareWrite(request) {
      const { datasetId, parsed, labelInfo, minimumLabel, block } = request;
      const now = block?.time ?? clock.now().getTime();
      const options: Omit<PrepareOptions, 'knownPaths'> = {
        labelInfo,
        minimumLabel,
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
        firstReplaced: first.updates.recordIds[0],
        async commit(commitOptions) {
          if (added + replaced === 0) return;
          const labelIds = await cache.labelIds(datasetId, first.labels, commitOptions.columnVersion);
          const batch = await withPathIds(datasetId, first, prepareBatch);
          if (replaced > 0 || commitOptions.isAlone === true)
            await commitReplacements(request, batch, now, commitOptions);
          else await commitInserts(request, { batch, labelIds }, commitOptions);
        },
      };
    },
  };
}
