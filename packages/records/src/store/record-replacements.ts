import { forbidden, RedoubtError } from '@redoubt/errors';
import type { InternedLabel, VisibleLabels } from '@redoubt/labels';
import { quoteString, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { RenderRows } from '../intake/intake.ts';
import type { Updates } from '../intake/prepare-batch.ts';
import type { Replacement } from '../intake/prepare-replacements.ts';
import { insertColumns, type RowsSummary } from '../intake/prepared-rows.ts';
import { toCounterDeltas, type CounterDelta } from './counters.ts';
import { actions, createLookupTable, qualifyTable, replacedColumns, tableName } from './record-table.ts';
import { createReplacedRecords, portionsOf, type OldRecord } from './replaced-records.ts';
import type { TableLayout } from './table-layout.ts';

/**
 * Replacing records, and adding others with them, as one whole even when the process is killed:
 *
 * 1. What is replaced is looked up as its writer sees it.
 * 2. All rows go into a table `…__checking`, in portions: what a record keeps of the one before it may be far larger than
 *    what was sent. They are taken into memory, to be looked up by id. Any fault ends here, and the tables are dropped.
 * 3. The table is renamed to `…__staged`. From this moment on the write is done, whatever happens.
 * 4. One INSERT adds what is not there yet under a label that nobody sees; one UPDATE replaces and shows what was added,
 *    so that readers see all of the write or nothing; the table is dropped.
 *
 * A start after a kill drops what is `…__checking` and does step 4 again for what is `…__staged`: done twice it gives
 * the same. A dataset has one such write at a time and nothing else is stored meanwhile, so no later version of a record
 * can be lost to the repetition.
 */
const suffixes = { checking: '__checking', staged: '__staged', lookup: '__lookup' } as const;

const { recordId, labelId, doc } = recordColumns;

/** Bytes of rows after which they are staged. */
const stagedBytes = 32_000_000;

export interface ReplaceRequest {
  datasetId: string;
  inserts: RowsSummary;
  updates: Updates;
  /** The rows of the inserts, or of the updates that were prepared last, with a text in front for each label. */
  rowsOf: RenderRows;
  /** Makes the rows of some of the updates. */
  prepareUpdates: (replacements: readonly Replacement[]) => Promise<RowsSummary>;
  /** The id of each of the batch's labels. */
  labelIds: readonly number[];
  /** Whether records get the label of the write; otherwise they keep theirs. */
  relabels: boolean;
  visible: VisibleLabels;
  /** The labels of the dataset by id: one may stand under several. */
  labels: readonly InternedLabel[];
  /** Whether the writer may change labels. */
  mayRelabel: boolean;
  /**
   * The ids that these labels have by now, where they are others. Records that keep their label get them as new ones do:
   * whoever looked before a column was labelled does not see what is written into it since.
   */
  present: (labelIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** Told what comes and goes, when the write is decided and before it is stored; an error ends it. */
  decided: (changes: readonly CounterDelta[]) => Promise<void>;
}

export interface RecordReplacements {
  /** Whether the engine failed in the middle of the dataset's last replacement, which the next one finishes. */
  isUnfinished(datasetId: string): boolean;
  /**
   * Runs while nothing else is stored in the dataset.
   * @returns what went: the replaced records with the label that each keeps or had
   * @throws RedoubtError 404 for an id that its writer does not see, 403 for a new label without authority
   */
  replace(request: ReplaceRequest): Promise<CounterDelta[]>;
  /**
   * Runs while no process replaces records of the dataset, after what is left of a replacement that was broken off.
   * Called while nothing else is stored in the dataset.
   */
  between<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
  /** Runs while no process changes or replaces records of the dataset. */
  beside<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
  /** Ends what a killed process began, in every dataset. */
  recover(): Promise<void>;
  /** Drops what belongs to a dataset that is being dropped. */
  forget(datasetId: string): Promise<void>;
}

/** For processes that share an engine: runs work while no other does so under the same name. */
export type RunExclusively = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * @param shared given where other processes use the same engine, whose replacements are then neither met nor missed
 * @param settle called before anything is changed in a dataset, while nothing else is stored in it
 */
export function createRecordReplacements(
  engine: Engine,
  database: string,
  layout: TableLayout,
  shared?: RunExclusively,
  settle: (datasetId: string) => Promise<void> = async () => undefined,
): RecordReplacements {
  const alone: RunExclusively = shared ?? (async (_name, work) => work());
  const named = (table: string): string => qualifyTable(database, table);
  const run = async (sql: string, settings: Record<string, number> = {}): Promise<void> =>
    engine.command(sql, { lane: 'short', settings });
  const drop = async (table: string): Promise<void> => run(layout.dropStaging(table));
  /** Only the server that looks rows up has this table. */
  const dropLookup = async (table: string): Promise<void> => run(`DROP TABLE IF EXISTS ${named(table)} SYNC`);

  /** Datasets with a staged write that the engine failed to carry out: it comes before the next one. */
  const unfinished = new Set<string>();

  const replaced = createReplacedRecords(engine);

  /**
   * Stages all rows.
   * @returns the codes of each updated record, in the order of the old ones
   */
  async function stage(
    table: string,
    request: ReplaceRequest,
    old: readonly OldRecord[],
  ): Promise<(readonly number[])[]> {
    const { datasetId, updates, visible, rowsOf, labelIds, relabels } = request;
    const change = relabels ? actions.replaceAndRelabel : actions.replace;
    const prefixes = (action: number): string[] => labelIds.map((id) => `${String(action)}\t${String(id)}\t`);
    const orderOf = new Map(updates.recordIds.map((id, order) => [id, order]));
    const codes: (readonly number[])[] = [];
    let rows = [await rowsOf('inserts', prefixes(actions.add))];

    const insert = async (): Promise<void> => {
      const data = Buffer.concat(rows);
      rows = [];
      if (data.length === 0) return;
      await engine.insert({ table: `${database}.${table}`, columns: ['action', ...insertColumns], data });
    };

    await drop(table);
    await run(layout.createStaging(table));
    for (const portion of portionsOf(old)) {
      const parts = await replaced.hiddenParts(named(tableName(datasetId)), visible, portion);
      const { shapes, shapeOf } = await request.prepareUpdates(
        portion.map(({ id }) => replacementOf(updates, orderOf.get(id) ?? -1, parts.get(id))),
      );
      for (const shape of shapeOf) codes.push(shapes[shape]?.codes ?? []);
      rows.push(await rowsOf('updates', prefixes(change)));
      if (rows.reduce((sum, { length }) => sum + length, 0) >= stagedBytes) await insert();
    }
    await insert();
    return codes;
  }

  /** The one step of carrying out that depends on what the rows hold, tried while the write can still be refused. */
  const requireReadable = async (staged: string): Promise<void> => {
    await engine.text(`SELECT count() FROM ${named(staged)} WHERE NOT ignore(CAST(${doc} AS JSON))`, {
      lane: 'short',
      settings: jsonSettings,
    });
  };

  /** Takes staged rows into memory, which fails where they are larger than it. */
  async function fillLookup(table: string, staged: string): Promise<void> {
    const lookup = table + suffixes.lookup;
    await dropLookup(lookup);
    await run(createLookupTable(database, lookup));
    await run(`INSERT INTO ${named(lookup)} SELECT * FROM ${named(staged)}`);
  }

  /**
   * Carries out what is staged, with the lookup filled.
   * @param present see `ReplaceRequest`; after a kill, kept labels keep their ids
   */
  async function apply(table: string, present: ReadonlyMap<number, number>): Promise<void> {
    const [staged, lookup] = [table + suffixes.staged, table + suffixes.lookup];
    const found = (column: string): string => `joinGet('${database}.${lookup}', '${column}', ${recordId})`;
    const values = replacedColumns.map(
      (column) => `${column} = ${column === doc ? `CAST(${found(column)} AS JSON)` : found(column)}`,
    );
    const added = new Map<string, string>([
      [labelId, String(invisibleLabelId)],
      [doc, `CAST(${doc} AS JSON)`],
    ]);
    await run(
      `INSERT INTO ${named(layout.stored(table))} (${insertColumns.join(', ')})
       SELECT ${insertColumns.map((column) => added.get(column) ?? column).join(', ')}
       FROM ${named(staged)} WHERE action = ${String(actions.add)} AND ${recordId} NOT IN
         (SELECT ${recordId} FROM ${named(table)} WHERE ${recordId} IN (SELECT ${recordId} FROM ${named(staged)} WHERE action = ${String(actions.add)}))`,
      { ...jsonSettings, ...oneBlock },
    );
    await run(
      `UPDATE ${named(layout.stored(table))} SET ${labelId} = if(${found('action')} = ${String(actions.replace)}, ${keptLabel(present)}, ${found(labelId)}), ${values.join(', ')}
       WHERE ${recordId} IN (SELECT ${recordId} FROM ${named(lookup)})`,
      jsonSettings,
    );
    for (const sql of layout.settle(table)) await run(sql);
    await dropLookup(lookup);
    await drop(staged);
  }

  /** Carries out what a process left that was killed, or whose engine failed. */
  async function applyStaged(staged: string): Promise<void> {
    const table = staged.slice(0, -suffixes.staged.length);
    await fillLookup(table, staged);
    await apply(table, sameIds);
  }

  async function recoverTables(names: readonly string[]): Promise<void> {
    for (const name of names) if (name.endsWith(suffixes.checking)) await drop(name);
    for (const name of names) if (name.endsWith(suffixes.staged)) await applyStaged(name);
    for (const name of names) if (name.endsWith(suffixes.lookup)) await dropLookup(name);
  }

  async function namesOfTables(): Promise<string[]> {
    const text = await engine.text(
      `SELECT name FROM system.tables WHERE database = ${quoteString(database)}`,
      {
        lane: 'short',
      },
    );
    return text.split('\n').filter((name) => name !== '');
  }

  /** Whether a write of the dataset was broken off after it was decided: here, or in a process that has died. */
  async function isLeftOver(datasetId: string): Promise<boolean> {
    if (unfinished.has(datasetId)) return true;
    const mayBe = shared !== undefined || layout.cluster !== undefined;
    return mayBe && (await namesOfTables()).includes(tableName(datasetId) + suffixes.staged);
  }

  async function finish(datasetId: string, work: () => Promise<void>): Promise<void> {
    unfinished.add(datasetId);
    await work();
    unfinished.delete(datasetId);
  }

  const between = async <Result>(datasetId: string, work: () => Promise<Result>): Promise<Result> =>
    alone(tableName(datasetId), async () => {
      if (await isLeftOver(datasetId)) {
        await finish(datasetId, async () => applyStaged(tableName(datasetId) + suffixes.staged));
      }
      await settle(datasetId);
      return work();
    });

  return {
    between,
    beside: async (datasetId, work) => alone(tableName(datasetId), work),
    replace: async (request) =>
      between(request.datasetId, async () => {
        const table = tableName(request.datasetId);
        const old = await replaced.read(named(table), request.visible, request.updates.recordIds);
        refuse(request, old);
        const present = await request.present([...new Set(old.map((record) => record.labelId))]);
        const checking = table + suffixes.checking;
        let codes: (readonly number[])[];
        try {
          codes = await stage(checking, request, old);
          await requireReadable(checking);
          await fillLookup(table, checking);
          await request.decided(changesOf(request, old, codes, sameIds));
        } catch (fault) {
          await drop(checking);
          await dropLookup(table + suffixes.lookup);
          throw fault;
        }
        await run(layout.renameStaging(checking, table + suffixes.staged));
        await finish(request.datasetId, async () => apply(table, present));
        return changesOf(request, old, codes, present);
      }),
    isUnfinished: (datasetId) => unfinished.has(datasetId),
    async recover() {
      const bases = new Set((await namesOfTables()).flatMap(baseOf));
      for (const base of bases) {
        // What another process is in the midst of is over once its turn is; what is left then was left by a dead one.
        await alone(base, async () =>
          recoverTables((await namesOfTables()).filter((name) => baseOf(name).includes(base))),
        );
      }
    },
    forget: async (datasetId) =>
      alone(tableName(datasetId), async () => {
        unfinished.delete(datasetId);
        for (const suffix of [suffixes.checking, suffixes.staged]) await drop(tableName(datasetId) + suffix);
        await dropLookup(tableName(datasetId) + suffixes.lookup);
      }),
  };
}

/** The table that a helping table belongs to, if it is one. */
const baseOf = (name: string): string[] =>
  Object.values(suffixes).flatMap((suffix) => (name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []));

/** Labels have ids from 0 on, and readers see those that they are known to satisfy: never this one. */
export const invisibleLabelId = 4_294_967_295;

const sameIds: ReadonlyMap<number, number> = new Map();

/** The label of a record that keeps its own. */
const keptLabel = (present: ReadonlyMap<number, number>): string =>
  present.size === 0
    ? labelId
    : `toUInt32(transform(${labelId}, [${[...present.keys()].join(', ')}], [${[...present.values()].join(', ')}], ${labelId}))`;

const jsonSettings = { input_format_try_infer_dates: 0, input_format_try_infer_datetimes: 0 };

/** However many rows are added, they become visible together. */
const oneBlock = {
  max_insert_threads: 1,
  max_block_size: 1_000_000_000,
  min_insert_block_size_rows: 1_000_000_000,
  min_insert_block_size_bytes: 100_000_000_000,
};

/** A label that has no text here is like no other. */
const textOf = (labels: readonly InternedLabel[], id: number | undefined): string | number | undefined =>
  labels[id ?? -1]?.expression ?? id;

function refuse(
  { updates, labelIds, labels, relabels, mayRelabel }: ReplaceRequest,
  old: readonly OldRecord[],
): void {
  if (old.length !== updates.recordIds.length) {
    throw new RedoubtError(
      'NotFoundError',
      'A record that this write replaces does not exist, by its "_koverse_record_id". Nothing of the write was stored.',
    );
  }
  if (!relabels || mayRelabel) return;
  const before = new Map(old.map((record) => [record.id, record.labelId]));
  for (const [order, id] of updates.recordIds.entries()) {
    const [present, next] = [before.get(id), labelIds[updates.labels[order] ?? -1]];
    if (present !== next && textOf(labels, present) !== textOf(labels, next)) {
      throw forbidden(
        `The record "${id}" would get another label. Changing labels needs the permission to manage the dataset; leave securityLabelInfo out to keep the label.`,
      );
    }
  }
}

function replacementOf(updates: Updates, order: number, hiddenPart: string | undefined): Replacement {
  const [recordId, index, label] = [updates.recordIds[order], updates.indexes[order], updates.labels[order]];
  if (recordId === undefined || index === undefined || label === undefined)
    throw new Error('A record was found that the write does not replace.');
  return { recordId, index, label, hiddenPart };
}

/** What the counters learn: each replaced record goes with its old label and fields, and comes with the new ones. */
function changesOf(
  { inserts, updates, labelIds, relabels }: ReplaceRequest,
  old: readonly OldRecord[],
  codes: readonly (readonly number[])[],
  present: ReadonlyMap<number, number>,
): CounterDelta[] {
  const gone = old.map((record) => ({ labelId: record.labelId, codes: record.codes, count: -1 }));
  const next = new Map(updates.recordIds.map((id, order) => [id, labelIds[updates.labels[order] ?? -1]]));
  const come = old.map((record, at) => ({
    labelId: (relabels ? next.get(record.id) : (present.get(record.labelId) ?? record.labelId)) ?? -1,
    codes: codes[at] ?? [],
    count: 1,
  }));
  return [...gone, ...come, ...toCounterDeltas(inserts, labelIds)];
}
