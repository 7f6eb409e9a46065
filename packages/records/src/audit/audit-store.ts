import { createVisibleLabelSets } from '@redoubt/labels';
import {
  compileVisiblePredicate,
  querySettings,
  quoteString,
  type LuceneNode,
  type PathEntry,
} from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { qualifyTable } from '../store/record-table.ts';
import { statementOptions, type StatementOwner } from '../store/statement-options.ts';
import type { StoreLimits } from '../store/store-limits.ts';
import type { TableLayout } from '../store/table-layout.ts';
import {
  auditPath,
  eventColumns,
  eventRows,
  type AuditChainPosition,
  type ChainedEvent,
} from './audit-rows.ts';
import { auditTables } from './audit-tables.ts';

/** Which events of a workspace a reader may see. */
export interface AuditVisibility {
  workspace: string;
  /** Only events of this person. */
  userId?: string | undefined;
  /** Hides events of these types, except those of this person. */
  without?: { types: readonly string[]; butOf: string } | undefined;
  /** Hides events about records that have none of these labels. */
  labels: readonly string[];
}

export interface AuditSearch extends AuditVisibility, StatementOwner {
  datasetId?: string | undefined;
  tree: LuceneNode;
  /** -1 means all. */
  limit: number;
  offset: number;
}

/** An event as a search returns it: its JSON text, and the labels of the records that it is about. */
export type FoundEvent = Pick<ChainedEvent, 'labels' | 'shown'>;

/** Stores the events of the audit log. Only one process at a time appends events. */
export interface AuditStore {
  /** The events after this position of the chain, without their content. */
  since(workspace: string, seq: number): Promise<Pick<ChainedEvent, 'hash' | 'id' | 'seq'>[]>;
  /** Appends all events or none. They are durable when it resolves. */
  append(events: readonly ChainedEvent[]): Promise<void>;
  /** The labels of events about records in the workspace. */
  labels(workspace: string): Promise<string[]>;
  /** Returns events, newest first; `total` counts all that match. */
  search(search: AuditSearch): Promise<{ total: number; events: FoundEvent[] }>;
  /** The ids of workspaces with a chain. */
  workspaces(): Promise<string[]>;
  /** The stored events of a workspace after a position, in the order of the chain, in batches. */
  events(workspace: string, after: number): AsyncGenerator<ChainedEvent[]>;
  /** The positions of events that are older than the retention, for one dataset or for all but some datasets. */
  expired(
    workspace: string,
    before: number,
    which: { datasetId: string } | { but: readonly string[] },
  ): Promise<AuditChainPosition[]>;
  /** The positions of removed events, in order. */
  removed(workspace: string): Promise<AuditChainPosition[]>;
  /** Removes events; their positions stay in the chain. */
  remove(workspace: string, links: readonly AuditChainPosition[]): Promise<void>;
  /** Removes the events of all workspaces. */
  clear(): Promise<void>;
  /** Forgets the positions of removed events up to this one. */
  forgetUpTo(workspace: string, seq: number): Promise<void>;
}

const eventsAtOnce = 2000;

const linkColumns = ['workspace', 'seq', 'hash', 'previous'] as const;
const linkList = linkColumns.join(', ');

const textsOf = (texts: readonly string[]): string => `[${texts.map(quoteString).join(', ')}]`;

const here = (workspace: string): string => `workspace = ${quoteString(workspace)}`;

const sightOf = ({ workspace, userId, without, labels }: AuditVisibility): string => {
  const own = userId === undefined ? '' : ` AND user_id = ${quoteString(userId)}`;
  const known =
    without === undefined
      ? ''
      : ` AND (user_id = ${quoteString(without.butOf)} OR NOT has(${textsOf(without.types)}, JSONExtractString(raw, 'type')))`;
  return `${here(workspace)}${own}${known} AND (empty(labels) OR hasAny(labels, ${textsOf(labels)}))`;
};

/** Prints 64-bit integers as JSON numbers: counts and positions fit into a double. */
const settings = { ...querySettings, output_format_json_quote_64bit_integers: 0 };

interface EventRow extends Omit<ChainedEvent, 'labels'> {
  labels: string[];
  counts: number[];
}

const fromRow = <Row extends Pick<EventRow, 'counts' | 'labels'>>({ labels, counts, ...event }: Row) => ({
  ...event,
  labels: labels.map((label, index): [string, number] => [label, counts[index] ?? 0]),
});

export function createAuditStore({
  engine,
  database,
  layout,
  limits,
}: {
  engine: Engine;
  database: string;
  layout: TableLayout;
  limits: StoreLimits;
}): AuditStore {
  const events = qualifyTable(database, auditTables.events);
  const removedEvents = qualifyTable(database, auditTables.removed);
  const everything = createVisibleLabelSets().visible('', [{ id: 0, expression: '' }], new Set());

  const rowsOf = async <Row>(
    sql: string,
    options: Parameters<Engine['text']>[1] = { lane: 'short', settings },
  ): Promise<Row[]> => {
    const text = await engine.text(sql, { ...options, settings, format: 'JSONEachRow' });
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  };

  const paths = async (): Promise<Map<string, PathEntry>> => {
    const rows = await rowsOf<{ id: number; path: string }>(
      `SELECT path_id AS id, any(path) AS path FROM ${qualifyTable(database, auditTables.paths)} GROUP BY path_id ORDER BY path_id`,
    );
    return new Map(rows.map(({ id, path }) => [path, auditPath(id)]));
  };

  const insert = async (table: string, columns: readonly string[], data: Buffer): Promise<void> =>
    engine.insert({ table: `${database}.${layout.stored(table)}`, columns, data });

  const deleteFrom = async (table: string, condition: string): Promise<void> =>
    engine.command(`DELETE FROM ${qualifyTable(database, layout.stored(table))} WHERE ${condition}`, {
      lane: 'short',
      settings: { ...querySettings, lightweight_delete_mode: 'lightweight_update_force' },
    });

  return {
    since: async (workspace, seq) =>
      rowsOf(
        `SELECT record_id AS id, seq, hash FROM ${events} WHERE ${here(workspace)} AND seq > ${String(seq)} ORDER BY seq`,
      ),

    append: async (added) => {
      const known = await paths();
      const { rows, newPaths } = eventRows(added, known);
      if (newPaths.length > 0) {
        const data = newPaths.map((path, index) => `${String(known.size + index)}\t${path}\n`);
        await insert(auditTables.paths, ['path_id', 'path'], Buffer.from(data.join('')));
      }
      await insert(auditTables.events, eventColumns, rows);
    },

    labels: async (workspace) => {
      const rows = await rowsOf<{ label: string }>(
        `SELECT DISTINCT arrayJoin(labels) AS label FROM ${events} WHERE ${here(workspace)}`,
      );
      return rows.map(({ label }) => label);
    },

    search: async (search) => {
      const { tree, datasetId, limit, offset } = search;
      const found = compileVisiblePredicate({ tree, paths: await paths(), visible: everything });
      const about = datasetId === undefined ? '' : ` AND dataset_id = ${quoteString(datasetId)}`;
      const source = `FROM ${events} WHERE ${sightOf(search)}${about} AND ${found}`;
      const page = `${limit === -1 ? '' : ` LIMIT ${String(limit)}`}${offset === 0 ? '' : ` OFFSET ${String(offset)}`}`;
      const options = statementOptions(limits, 'querySeconds', limit === -1 ? 'long' : 'short', search);
      const counting = async (): Promise<number> =>
        Number(await engine.text(`SELECT count() ${source}`, options));
      // If all events are requested, their number is the total, unless the offset is behind the end.
      const [counted, rows] = await Promise.all([
        limit === -1 ? undefined : counting(),
        rowsOf<Pick<EventRow, 'counts' | 'labels' | 'shown'>>(
          `SELECT raw AS shown, labels, counts ${source} ORDER BY time_ms DESC, seq DESC${page}`,
          options,
        ),
      ]);
      const all = rows.length > 0 || offset === 0 ? offset + rows.length : undefined;
      return { total: counted ?? all ?? (await counting()), events: rows.map(fromRow) };
    },

    workspaces: async () => {
      const rows = await rowsOf<{ workspace: string }>(
        `SELECT DISTINCT workspace FROM (SELECT workspace FROM ${events} UNION ALL SELECT workspace FROM ${removedEvents}) ORDER BY workspace`,
      );
      return rows.map(({ workspace }) => workspace);
    },

    async *events(workspace, after) {
      let offset = 0;
      for (;;) {
        const rows = await rowsOf<EventRow>(
          `SELECT ${linkList}, record_id AS id, event, user_id AS userId, dataset_id AS datasetId, time_ms AS timeMs, raw AS shown, labels, counts
           FROM ${events} WHERE ${here(workspace)} AND seq > ${String(after)} ORDER BY seq, hash LIMIT ${String(eventsAtOnce)} OFFSET ${String(offset)}`,
          { lane: 'long' },
        );
        if (rows.length > 0) yield rows.map(fromRow);
        if (rows.length < eventsAtOnce) return;
        offset += rows.length;
      }
    },

    expired: async (workspace, before, which) => {
      const about =
        'datasetId' in which
          ? `dataset_id = ${quoteString(which.datasetId)}`
          : `NOT has(${textsOf(which.but)}, dataset_id)`;
      return rowsOf(
        `SELECT ${linkList} FROM ${events} WHERE ${here(workspace)} AND time_ms < ${String(before)} AND ${about} ORDER BY seq`,
      );
    },

    removed: async (workspace) =>
      rowsOf(`SELECT DISTINCT ${linkList} FROM ${removedEvents} WHERE ${here(workspace)} ORDER BY seq`),

    remove: async (workspace, links) => {
      const rows = await rowsOf<AuditChainPosition>(
        `SELECT ${linkList} FROM ${removedEvents} WHERE ${here(workspace)}`,
      );
      const there = new Set(rows.map(({ seq }) => seq));
      const missing = links.filter(({ seq }) => !there.has(seq));
      if (missing.length > 0) {
        const data = missing.map(
          ({ seq, hash, previous }) => `${workspace}\t${String(seq)}\t${hash}\t${previous}\n`,
        );
        await insert(auditTables.removed, linkColumns, Buffer.from(data.join('')));
      }
      const gone = `SELECT seq FROM ${removedEvents} WHERE ${here(workspace)}`;
      await deleteFrom(auditTables.events, `${here(workspace)} AND seq IN (${gone})`);
    },

    clear: async () => {
      for (const table of [auditTables.events, auditTables.removed]) await deleteFrom(table, '1');
    },

    forgetUpTo: async (workspace, seq) =>
      deleteFrom(auditTables.removed, `${here(workspace)} AND seq <= ${String(seq)}`),
  };
}
