import { RedoubtError } from '@redoubt/errors';
import type { VisibleLabels } from '@redoubt/labels';
import type { KeyedRecord, RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { AccessibleDataset } from '../datasets/index.ts';
import { resolveVisibleLabels } from '../records/index.ts';
import { blockOf, parseRows, rejectOf, type FoundReject } from './block-rows.ts';
import { expandSeed, seedBytes } from './block-seed.ts';
import type { LoadFileDeps, LoadRequest, ParsedRow } from './load-request.ts';
import { createRowLabeller, labelInfoOf, type LabelRule } from './row-labeller.ts';
import { sourceOf } from './row-source.ts';
import {
  cutAtRepeatedKeys,
  matchRows,
  supersedesNone,
  supersedesWithSameLabel,
  type KeyedRows,
  type MatchedRow,
} from './upsert-rows.ts';

/** A record of the block was changed after it was looked up. */
class ChangedMeanwhile extends Error {}

/** A row may be left out only if it would be stored like the later row with its key. */
class NotSuperseded extends Error {}

const maxAttempts = 20;

/** Consecutive rows of a file, with the rejected ones among them. */
interface FileRows {
  rows: readonly ParsedRow[];
  rejects: FoundReject[];
  firstRow: number;
  nextRow: number;
}

export interface UpsertBlockDeps extends LoadFileDeps {
  store: LoadFileDeps['store'] & Pick<RecordStore, 'findByKeys'>;
  enter(request: LoadRequest): Promise<{ actor: Member; accessible: AccessibleDataset }>;
  requireTokens(actor: Member, request: LoadRequest, labels: readonly string[]): Promise<void>;
}

const sameRecords = (
  before: ReadonlyMap<string, readonly KeyedRecord[]>,
  now: ReadonlyMap<string, readonly KeyedRecord[]>,
): boolean =>
  before.size === now.size &&
  [...before].every(([key, records]) => JSON.stringify(records) === JSON.stringify(now.get(key)));

/** Finds the rows that would change the label of their record, which needs the permission to manage the dataset. */
const findLabelChanges = (
  rows: readonly MatchedRow[],
  rule: LabelRule,
  mayRelabel: boolean,
): FoundReject[] => {
  if (rule.securityLabelInfo === null || mayRelabel) return [];
  const labeller = createRowLabeller(rule);
  return rows.flatMap(({ row, found }) => {
    if (found === undefined) return [];
    const outcome = labeller.label(JSON.parse(row.json.toString('utf8')) as Record<string, unknown>);
    if (outcome.kind !== 'label' || outcome.label === found.label) return [];
    return [
      rejectOf(
        row,
        `the record with its key ${row.name} would get another label, which needs the permission to manage the dataset.`,
      ),
    ];
  });
};

/** Stores rows that replace the visible records with the same keys, in parts that are stored completely or not at all. */
export const createUpsertBlock = (deps: UpsertBlockDeps) => {
  const { audit, clock, random, held, ledger, store, afterWrite, enter, requireTokens } = deps;

  /**
   * Prepares the superseded rows without storing them, because they count as written.
   * @returns their labels
   * @throws NotSuperseded if one of them would be rejected or dropped
   */
  const checkSuperseded = async (
    { job: { datasetId }, fileId, options }: LoadRequest,
    { superseded, firstRow }: KeyedRows,
    visible: VisibleLabels,
  ): Promise<readonly string[]> => {
    if (superseded.length === 0) return [];
    // The later row keeps hidden columns of the earlier one.
    if (visible.hidden.length > 0) throw new NotSuperseded();
    const parsed = await parseRows(store, superseded);
    try {
      const { labels, rejects, dropped } = await store.prepareWrite({
        datasetId,
        parsed,
        ...labelInfoOf(options),
        visible,
        block: {
          time: clock.now().getTime(),
          random: expandSeed(random.bytes(seedBytes), superseded.length),
          source: sourceOf(fileId, firstRow, superseded),
        },
      });
      if (rejects.length > 0 || dropped > 0) throw new NotSuperseded();
      return labels;
    } finally {
      parsed.release();
    }
  };

  const storeOnce = async (
    request: LoadRequest,
    keyed: KeyedRows,
    fields: readonly string[],
  ): Promise<void> => {
    const { job, fileId, options } = request;
    const { datasetId } = job;
    const { firstRow, nextRow } = keyed;
    /** Reads the records with the keys of the rows that are now visible to the writer. */
    const lookUp = async () => {
      const { actor, accessible } = await enter(request);
      const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
      const keys = keyed.rows.map(({ key }) => key);
      return {
        actor,
        accessible,
        visible,
        found: await store.findByKeys({ datasetId, visible, fields, keys, signal: job.signal }),
      };
    };
    const { actor, accessible, visible, found } = await lookUp();
    const { matched, rejects: unclear } = matchRows(keyed.rows, found);
    const { manage } = accessible.permissions;
    /** @throws ChangedMeanwhile if the records or the right to change labels differ from those that the rows matched */
    const lookUnchangedUp = async () => {
      const now = await lookUp();
      if (!sameRecords(found, now.found) || now.accessible.permissions.manage !== manage)
        throw new ChangedMeanwhile();
      return now;
    };
    const changed = findLabelChanges(matched, options, manage);
    const earlierLabels = await checkSuperseded(request, keyed, visible);
    const hasSuperseded = keyed.superseded.length > 0;
    // A row that is rejected leaves the earlier one with its key.
    if (hasSuperseded && unclear.length + changed.length > 0) throw new NotSuperseded();
    const refused = new Set(changed.map(({ row }) => row));
    const rows = matched.filter(({ row }) => !refused.has(row.row));
    const rejects = [...keyed.rejects, ...unclear, ...changed];
    const place = { fileId, datasetId, firstRow, nextRow };
    if (rows.length === 0) {
      await ledger.pass(blockOf(place, rejects, options));
      return;
    }
    const parsed = await parseRows(store, rows);
    try {
      const seed = random.bytes(seedBytes);
      // It must be later than the replaced records, because recovery tells by this time whether the block was stored.
      let time = clock.now().getTime();
      for (const records of found.values())
        for (const record of records) time = Math.max(time, record.time + 1);
      const prepared = await store.prepareWrite({
        datasetId,
        parsed,
        ...labelInfoOf(options),
        visible,
        block: {
          time,
          random: expandSeed(seed, rows.length),
          source: sourceOf(
            fileId,
            firstRow,
            rows.map(({ row }) => row),
          ),
        },
      });
      if (hasSuperseded && prepared.rejects.length + prepared.dropped > 0) throw new NotSuperseded();
      for (const { index, reason } of prepared.rejects) {
        const row = rows[index]?.row;
        if (row !== undefined) rejects.push(rejectOf(row, reason));
      }
      const { dropped, added, replacing, firstId, firstReplaced } = prepared;
      const probe =
        firstId === undefined
          ? firstReplaced === undefined
            ? undefined
            : { recordId: firstReplaced, time }
          : { recordId: firstId };
      if (probe === undefined) {
        await ledger.pass(blockOf(place, rejects, options, { dropped }));
        return;
      }
      await requireTokens(actor, request, [...prepared.labels, ...earlierLabels]);
      const written = added + replacing + keyed.superseded.length;
      const replaced = replacing + keyed.superseded.length;
      await prepared.commit({
        mayRelabel: manage,
        columnVersion: accessible.dataset.column_version,
        isAlone: true,
        writer: async () => {
          const now = await lookUnchangedUp();
          return {
            visible: now.visible,
            mayRelabel: manage,
            columnVersion: now.accessible.dataset.column_version,
          };
        },
        onDecided: async (labels) => {
          await lookUnchangedUp();
          const outcome = { dropped, written, replaced };
          await ledger.begin({ ...blockOf(place, rejects, options, outcome), seed, probe });
          await audit.log(actor, {
            type: 'WriteRecords',
            description: 'ingests records',
            datasetId,
            details: { jobId: job.id },
            labels,
          });
        },
        onBlockStored: () => ledger.stored(fileId),
      });
      await request.stored(written);
    } finally {
      parsed.release();
    }
    await afterWrite(accessible.dataset, false);
  };

  const storePart = async (
    request: LoadRequest,
    keyed: KeyedRows,
    fields: readonly string[],
  ): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await storeOnce(request, keyed, fields);
        return;
      } catch (error) {
        const isOutdated =
          error instanceof ChangedMeanwhile ||
          (error instanceof RedoubtError && error.name === 'NotFoundError');
        if (!isOutdated || attempt === maxAttempts) throw error;
      }
    }
  };

  return async (request: LoadRequest, block: FileRows, fields: readonly string[]): Promise<void> => {
    const supersedes = supersedesWithSameLabel(request.options);
    for (const part of cutAtRepeatedKeys(block.rows, block.rejects, fields, block, supersedes)) {
      try {
        await storePart(request, part, fields);
      } catch (error) {
        if (!(error instanceof NotSuperseded)) throw error;
        const isInside = ({ row }: { row: number }): boolean => row >= part.firstRow && row < part.nextRow;
        const [rows, rejects] = [block.rows.filter(isInside), block.rejects.filter(isInside)];
        for (const smaller of cutAtRepeatedKeys(rows, rejects, fields, part, supersedesNone))
          await storePart(request, smaller, fields);
      }
    }
  };
};
