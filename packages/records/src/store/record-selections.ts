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
import { sourceColumns } from '../intake/record-source.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { qualifyTable, tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

const { recordId, labelId, raw } = recordColumns;

/** The field with the id of the document of a record. */
const documentField = 'document_id';

/** Selects the records of an update among those that are visible to its author. */
export type RecordSelector =
  | { all: true }
  | { recordIds: readonly string[] }
  | { tree: LuceneNode }
  /** All records of the documents with a matching record. */
  | { documentsOf: LuceneNode }
  /** All records that come from these files. */
  | { files: readonly string[] };

export interface RecordSelection {
  datasetId: string;
  /** Letters, digits and `-`. The same id finds the same selection again, also after a crash. */
  changeId: string;
  which: RecordSelector;
}

/**
 * Stores the selected records of an update in a separate table, so that an update that resumes after a crash does not
 * cover newer records. `…__choosing…` is an incomplete selection, `…__chosen…` a complete one.
 */
export interface RecordSelections {
  /** Creates the selection unless it exists. @returns how many records with each label it has */
  choose(
    choice: RecordSelection,
    visible: VisibleLabels,
    options: StatementOptions,
  ): Promise<ReadonlyMap<string, number>>;
  /** The quoted table of a complete selection. */
  chosenIn(choice: RecordSelection): string;
  /** The condition that selected records must still satisfy: visible to this reader, and with the same label. */
  condition(choice: RecordSelection, visible: VisibleLabels): Promise<string>;
  forget(choice: Pick<RecordSelection, 'changeId' | 'datasetId'>): Promise<void>;
  /** Drops the selections of a dataset that is being dropped. */
  forgetDataset(datasetId: string): Promise<void>;
  /** The updates that still have a selection. */
  left(): Promise<Pick<RecordSelection, 'changeId' | 'datasetId'>[]>;
}

const marks = ['__choosing_', '__chosen_', '__wanted_'] as const;
const [choosingMark, chosenMark, wantedMark] = marks;
const changePattern = /^[A-Za-z0-9-]{1,80}$/;

/** The name of a table of a selection, by its state. */
const nameOf = (
  { datasetId, changeId }: Pick<RecordSelection, 'changeId' | 'datasetId'>,
  mark: (typeof marks)[number],
): string => {
  if (!changePattern.test(changeId))
    throw new Error('The id of an update must have only letters, digits and "-".');
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

  /** The tables whose name contains one of these texts. */
  async function tablesLike(...parts: readonly string[]): Promise<string[]> {
    const text = await engine.text(
      `SELECT name FROM system.tables WHERE database = ${quoteString(database)} AND multiSearchAny(name, [${parts.map(quoteString).join(', ')}])`,
      { lane: 'short' },
    );
    return text.split('\n').filter((name) => name !== '');
  }

  async function condition({ datasetId, which }: RecordSelection, visible: VisibleLabels): Promise<string> {
    const label = compileLabelPredicate(visible);
    if ('files' in which) {
      const files = which.files.map(quoteString).join(', ');
      return files === '' ? `${label} AND 0` : `${label} AND ${sourceColumns.file} IN (${files})`;
    }
    if (!('tree' in which) && !('documentsOf' in which)) return label;
    const paths = await cache.pathEntries(datasetId);
    if ('tree' in which) return compileVisiblePredicate({ tree: which.tree, paths, visible });
    // If the document id is hidden from the author, the record belongs to no document for them.
    const entry = containsHiddenPath(visible.hidden, documentField)
      ? undefined
      : selectVisiblePaths(paths, visible).get(documentField);
    if (entry === undefined) return `${label} AND 0`;
    const documentId = columnExpression({ path: documentField, ...entry }, 'text', raw);
    const found = compileVisiblePredicate({ tree: which.documentsOf, paths, visible });
    const table = qualifyTable(database, tableName(datasetId));
    return `${label} AND ifNull(${documentId}, '') IN (SELECT ${documentId} FROM ${table} WHERE ${found} AND ifNull(${documentId}, '') != '')`;
  }

  /** Stores the requested ids in a table, because there may be too many for a statement. */
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

/** @param counts lines with a label id and a count; a label may have several ids */
function byLabel(counts: string, labels: readonly InternedLabel[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const line of counts.split('\n').filter((text) => text !== '')) {
    const [id = -1, count = 0] = line.split('\t').map(Number);
    const label = labels[id]?.expression;
    if (label === undefined)
      throw new Error('Every selected record must have a known label, got an unknown label id.');
    found.set(label, (found.get(label) ?? 0) + count);
  }
  return found;
}

/** Whether the text has the form of a record id. */
const isPlain = (id: string): boolean => /^[0-9A-Za-z-]{1,64}$/.test(id);
