import { containsHiddenPath, type InternedLabel, type VisibleLabels } from '@redoubt/labels';
import {
  columnExpression,
  compileVisiblePredicate,
  compileLabelPredicate,
  querySettings,
  quoteString,
  recordColumns,
  selectVisiblePaths,
  type LuceneNode,
} from '@redoubt/query';
import type { Engine, StatementOptions } from '../engine/engine.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { qualifyTable, tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

const { recordId, labelId, raw } = recordColumns;

/** The field that names the document which a record is a page of. */
const documentField = 'document_id';

/** The records that a change is about, out of those that its author sees. */
export type RecordSelector =
  | { all: true }
  | { recordIds: readonly string[] }
  | { tree: LuceneNode }
  /** All records of the documents that have a record which matches. */
  | { documentsOf: LuceneNode };

export interface RecordSelection {
  datasetId: string;
  /** Letters, digits and `-`: the same name finds the same choice again, also after a kill. */
  changeId: string;
  which: RecordSelector;
}

/**
 * Which records a change is about is settled once, in a table beside the dataset's: a change that is begun again after a
 * kill touches no record that came meanwhile. `…__choosing…` holds a choice in the making, `…__chosen…` one that is made.
 */
export interface RecordSelections {
  /** Makes the choice, or finds it made. @returns how many records of each label were chosen */
  choose(
    choice: RecordSelection,
    visible: VisibleLabels,
    options: StatementOptions,
  ): Promise<ReadonlyMap<string, number>>;
  /** The quoted table of a choice that is made. */
  chosenIn(choice: RecordSelection): string;
  /** What chosen records must satisfy still: seen by this reader, and of the kind that was chosen. */
  condition(choice: RecordSelection, visible: VisibleLabels): Promise<string>;
  forget(choice: Pick<RecordSelection, 'changeId' | 'datasetId'>): Promise<void>;
  /** Drops the choices of a dataset that is being dropped. */
  forgetDataset(datasetId: string): Promise<void>;
  /** The changes that have left a choice. */
  left(): Promise<Pick<RecordSelection, 'changeId' | 'datasetId'>[]>;
}

const marks = ['__choosing_', '__chosen_', '__wanted_'] as const;
const [choosingMark, chosenMark, wantedMark] = marks;
const changePattern = /^[A-Za-z0-9-]{1,80}$/;

/** The table of a choice: this far, or what it needs. */
const nameOf = (
  { datasetId, changeId }: Pick<RecordSelection, 'changeId' | 'datasetId'>,
  mark: (typeof marks)[number],
): string => {
  if (!changePattern.test(changeId)) throw new Error('A change is named by letters, digits and "-" alone.');
  return `${tableName(datasetId)}${mark}${changeId.replaceAll('-', '_')}`;
};

export function createRecordSelections({
  engine,
  database,
  layout,
  cache,
}: {
  engine: Engine;
  database: string;
  layout: TableLayout;
  cache: CatalogCache;
}): RecordSelections {
  const run = async (sql: string): Promise<void> => engine.command(sql, { lane: 'short' });
  const drop = async (table: string): Promise<void> => run(layout.dropStaging(table));

  /** The tables that have one of these in their names. */
  async function tablesLike(...parts: readonly string[]): Promise<string[]> {
    const text = await engine.text(
      `SELECT name FROM system.tables WHERE database = ${quoteString(database)} AND multiSearchAny(name, [${parts.map(quoteString).join(', ')}])`,
      { lane: 'short' },
    );
    return text.split('\n').filter((name) => name !== '');
  }

  async function condition({ datasetId, which }: RecordSelection, visible: VisibleLabels): Promise<string> {
    const label = compileLabelPredicate(visible);
    if (!('tree' in which) && !('documentsOf' in which)) return label;
    const paths = await cache.pathEntries(datasetId);
    if ('tree' in which) return compileVisiblePredicate({ tree: which.tree, paths, visible });
    // What of a document's name is hidden from the author names no document for them.
    const entry = containsHiddenPath(visible.hidden, documentField)
      ? undefined
      : selectVisiblePaths(paths, visible).get(documentField);
    if (entry === undefined) return `${label} AND 0`;
    const documentId = columnExpression({ path: documentField, ...entry }, 'text', raw);
    const found = compileVisiblePredicate({ tree: which.documentsOf, paths, visible });
    const table = qualifyTable(database, tableName(datasetId));
    return `${label} AND ifNull(${documentId}, '') IN (SELECT ${documentId} FROM ${table} WHERE ${found} AND ifNull(${documentId}, '') != '')`;
  }

  /** Has the ids that were sent looked up beside the engine's statement, however many they are. */
  async function wanted(choice: RecordSelection): Promise<string> {
    if (!('recordIds' in choice.which)) return '';
    const table = nameOf(choice, wantedMark);
    await drop(table);
    await run(layout.createChoice(table));
    const rows = choice.which.recordIds.filter(isPlain).map((id) => `${id}\t0\n`);
    if (rows.length > 0) {
      const data = Buffer.from(rows.join(''));
      await engine.insert({ table: `${database}.${table}`, columns: [recordId, labelId], data });
    }
    return ` AND ${recordId} IN (SELECT ${recordId} FROM ${qualifyTable(database, table)})`;
  }

  async function make(
    choice: RecordSelection,
    visible: VisibleLabels,
    options: StatementOptions,
  ): Promise<void> {
    const [choosing, chosen] = [nameOf(choice, choosingMark), nameOf(choice, chosenMark)];
    await drop(choosing);
    await run(layout.createChoice(choosing));
    const among = await wanted(choice);
    await engine.command(
      `INSERT INTO ${qualifyTable(database, choosing)} SELECT ${recordId}, ${labelId} FROM ${qualifyTable(database, tableName(choice.datasetId))} WHERE ${await condition(choice, visible)}${among}`,
      { ...options, settings: querySettings },
    );
    if (among !== '') await drop(nameOf(choice, wantedMark));
    await run(layout.renameStaging(choosing, chosen));
  }

  return {
    condition,
    chosenIn: (choice) => qualifyTable(database, nameOf(choice, chosenMark)),
    async choose(choice, visible, options) {
      const chosen = nameOf(choice, chosenMark);
      if (!(await tablesLike(chosen)).includes(chosen)) await make(choice, visible, options);
      const counts = await engine.text(
        `SELECT ${labelId}, count() FROM ${qualifyTable(database, chosen)} GROUP BY ${labelId} ORDER BY ${labelId}`,
        { lane: 'short' },
      );
      return byLabel(counts, await cache.labels(choice.datasetId, visible.version));
    },
    async forget(change) {
      for (const mark of marks) await drop(nameOf(change, mark));
    },
    async forgetDataset(datasetId) {
      const parts = marks.map((mark) => tableName(datasetId) + mark);
      for (const name of await tablesLike(...parts)) await drop(name);
    },
    async left() {
      const names = await tablesLike(...marks);
      const changes = names.flatMap((name) => {
        const [, dataset, change] = /^ds_(.+?)__(?:choosing|chosen|wanted)_(.+)$/.exec(name) ?? [];
        if (dataset === undefined || change === undefined) return [];
        return [{ datasetId: dataset.replaceAll('_', '-'), changeId: change.replaceAll('_', '-') }];
      });
      return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
    },
  };
}

/** @param counts lines of a label's number and a count; a label may have several numbers */
function byLabel(counts: string, labels: readonly InternedLabel[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const line of counts.split('\n').filter((text) => text !== '')) {
    const [id = -1, count = 0] = line.split('\t').map(Number);
    const label = labels[id]?.expression;
    if (label === undefined) throw new Error('A record was chosen whose label nobody knows.');
    found.set(label, (found.get(label) ?? 0) + count);
  }
  return found;
}

/** Ids of records hold nothing else; any other text is the id of none. */
const isPlain = (id: string): boolean => /^[0-9A-Za-z-]{1,64}$/.test(id);
