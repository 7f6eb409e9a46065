import { createVisibleLabelSets } from '@redoubt/labels';
import {
  compileCondition,
  querySettings,
  quoteString,
  type LuceneNode,
  type PathEntry,
} from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { qualified } from '../store/record-table.ts';
import { statementOptions, type Asker } from '../store/statement-options.ts';
import type { StoreLimits } from '../store/store-limits.ts';
import type { TableLayout } from '../store/table-layout.ts';
import { auditPath, eventColumns, eventRows, type AuditLink, type ChainedEvent } from './audit-rows.ts';
import { auditTables } from './audit-tables.ts';

/** Which events of a workspace somebody may see. */
export interface AuditSight {
  workspace: string;
  /** Only events of this person. */
  userId?: string | undefined;
  /** Of events about records: those that have records of one of these labels. */
  labels: readonly string[];
}

export interface AuditSearch extends AuditSight, Asker {
  datasetId?: string | undefined;
  tree: LuceneNode;
  /** -1 is all. */
  limit: number;
  offset: number;
}

export interface FoundEvent {
  shown: string;
  labels: [label: string, count: number][];
}

/** A link of the chain with the event's text, which is gone where retention has removed it. */
export interface KeptLink extends AuditLink {
  event: string | undefined;
}

/** The events of the audit log. One process at a time adds to it. */
export interface AuditStore {
  /** The newest link of a workspace's chain. */
  last(workspace: string): Promise<AuditLink | undefined>;
  /** Those of the ids that are events of the workspace already. */
  known(workspace: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Adds events as one whole. They are on disk when it resolves. */
  append(events: readonly ChainedEvent[]): Promise<void>;
  /** The labels that events about records have in the workspace. */
  labels(workspace: string): Promise<string[]>;
  /** Newest first; `total` counts all that match. */
  search(search: AuditSearch): Promise<{ total: number; events: FoundEvent[] }>;
  workspaces(): Promise<string[]>;
  /** The chain of a workspace in its order, some links at a time. @param after those that follow this one */
  links(workspace: string, after: number): AsyncGenerator<KeptLink[]>;
  /** The links of events that are older, of a dataset, or of all but some datasets. */
  expired(
    workspace: string,
    before: number,
    which: { datasetId: string } | { but: readonly string[] },
  ): Promise<AuditLink[]>;
  /** The links whose events were removed, in order. */
  removed(workspace: string): Promise<AuditLink[]>;
  /** Removes events; their links stay. */
  remove(workspace: string, links: readonly AuditLink[]): Promise<void>;
  /** Removes links up to this one. */
  forgetUpTo(workspace: string, seq: number): Promise<void>;
}

const linksAtOnce = 2000;
/** Ids are looked for among the newest events: those of a batch that was stored before its end was noted. */
const newest = 10_000;

const linkColumns = 'workspace, seq, hash, previous';

const textsOf = (texts: readonly string[]): string => `[${texts.map(quoteString).join(', ')}]`;

const here = (workspace: string): string => `workspace = ${quoteString(workspace)}`;

const sightOf = ({ workspace, userId, labels }: AuditSight): string => {
  const own = userId === undefined ? '' : ` AND user_id = ${quoteString(userId)}`;
  return `workspace = ${quoteString(workspace)}${own} AND (empty(labels) OR hasAny(labels, ${textsOf(labels)}))`;
};

/** Numbers of 64 bits as numbers: counts and places are smaller than what those hold. */
const settings = { ...querySettings, output_format_json_quote_64bit_integers: 0 };

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
  const [events, removed, pathsTable] = [auditTables.events, auditTables.removed, auditTables.paths].map(
    (table) => qualified(database, table),
  ) as [string, string, string];
  const everything = createVisibleLabelSets().visible('', [{ id: 0, expression: '' }], new Set());
  const short = { lane: 'short', settings } as const;

  const rowsOf = async <Row>(sql: string): Promise<Row[]> => {
    const text = await engine.text(sql, { ...short, format: 'JSONEachRow' });
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  };

  const paths = async (): Promise<Map<string, PathEntry>> => {
    const rows = await rowsOf<{ path_id: number; path: string }>(
      `SELECT path_id, any(path) AS path FROM ${pathsTable} GROUP BY path_id ORDER BY path_id`,
    );
    return new Map(rows.map(({ path_id: id, path }) => [path, auditPath(id)]));
  };

  const insert = async (table: string, columns: readonly string[], data: Buffer): Promise<void> =>
    engine.insert({ table: `${database}.${layout.stored(table)}`, columns, data });

  return {
    last: async (workspace) => {
      const [link] = await rowsOf<AuditLink>(
        `SELECT ${linkColumns} FROM (SELECT ${linkColumns} FROM ${events} WHERE ${here(workspace)} ORDER BY seq DESC LIMIT 1
         UNION ALL SELECT ${linkColumns} FROM ${removed} WHERE ${here(workspace)} ORDER BY seq DESC LIMIT 1) ORDER BY seq DESC LIMIT 1`,
      );
      return link;
    },

    known: async (workspace, ids) => {
      const rows = await rowsOf<{ record_id: string }>(
        `SELECT record_id FROM (SELECT record_id FROM ${events} WHERE ${here(workspace)} ORDER BY seq DESC LIMIT ${String(newest)})
         WHERE record_id IN ${textsOf(ids)}`,
      );
      return new Set(rows.map(({ record_id: id }) => id));
    },

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
      const found = compileCondition({ tree, paths: await paths(), visible: everything });
      const about = datasetId === undefined ? '' : ` AND dataset_id = ${quoteString(datasetId)}`;
      const source = `FROM ${events} WHERE ${sightOf(search)}${about} AND ${found}`;
      const page = `${limit === -1 ? '' : ` LIMIT ${String(limit)}`}${offset === 0 ? '' : ` OFFSET ${String(offset)}`}`;
      const options = statementOptions(limits, 'querySeconds', limit === -1 ? 'long' : 'short', search);
      const [total, text] = await Promise.all([
        engine.text(`SELECT count() ${source}`, options),
        engine.text(`SELECT raw, labels, counts ${source} ORDER BY seq DESC${page}`, {
          ...options,
          settings,
          format: 'JSONEachRow',
        }),
      ]);
      const rows = text.split('\n').filter((line) => line !== '');
      return {
        total: Number(total),
        events: rows.map((line) => {
          const row = JSON.parse(line) as { raw: string; labels: string[]; counts: (number | string)[] };
          return {
            shown: row.raw,
            labels: row.labels.map((label, index) => [label, row.counts[index] ?? 0]),
          };
        }),
      };
    },

    workspaces: async () => {
      const rows = await rowsOf<{ workspace: string }>(
        `SELECT DISTINCT workspace FROM (SELECT workspace FROM ${events} UNION ALL SELECT workspace FROM ${removed}) ORDER BY workspace`,
      );
      return rows.map(({ workspace }) => workspace);
    },

    async *links(workspace, after) {
      let from = after;
      for (;;) {
        const page = (
          await rowsOf<Omit<KeptLink, 'event'> & { event: string; is_there: number }>(
            `SELECT seq, argMax(h, kept) AS hash, argMax(p, kept) AS previous, argMax(e, kept) AS event, max(kept) AS is_there
           FROM (SELECT seq, hash AS h, previous AS p, event AS e, 1 AS kept FROM ${events} WHERE ${here(workspace)} AND seq > ${String(from)} ORDER BY seq LIMIT ${String(linksAtOnce)}
           UNION ALL SELECT seq, hash AS h, previous AS p, '' AS e, 0 AS kept FROM ${removed} WHERE ${here(workspace)} AND seq > ${String(from)} ORDER BY seq LIMIT ${String(linksAtOnce)})
           GROUP BY seq ORDER BY seq LIMIT ${String(linksAtOnce)}`,
          )
        ).map(({ seq, hash, previous, event, is_there: isThere }): KeptLink => ({
          workspace,
          seq,
          hash,
          previous,
          event: isThere === 1 ? event : undefined,
        }));
        if (page.length === 0) return;
        yield page;
        from = page.at(-1)?.seq ?? from;
      }
    },

    expired: async (workspace, before, which) =>
      rowsOf<AuditLink>(
        `SELECT ${linkColumns} FROM ${events} WHERE ${here(workspace)} AND time_ms < ${String(before)} AND ${
          'datasetId' in which
            ? `dataset_id = ${quoteString(which.datasetId)}`
            : `NOT has(${textsOf(which.but)}, dataset_id)`
        } ORDER BY seq`,
      ),

    removed: async (workspace) =>
      rowsOf<AuditLink>(
        `SELECT DISTINCT ${linkColumns} FROM ${removed} WHERE ${here(workspace)} ORDER BY seq`,
      ),

    remove: async (workspace, links) => {
      const there = new Set(
        (await rowsOf<AuditLink>(`SELECT ${linkColumns} FROM ${removed} WHERE ${here(workspace)}`)).map(
          ({ seq }) => seq,
        ),
      );
      const rows = links
        .filter(({ seq }) => !there.has(seq))
        .map(({ seq, hash, previous }) => `${workspace}\t${String(seq)}\t${hash}\t${previous}\n`);
      if (rows.length > 0) {
        await insert(
          auditTables.removed,
          ['workspace', 'seq', 'hash', 'previous'],
          Buffer.from(rows.join('')),
        );
      }
      await engine.command(
        `DELETE FROM ${qualified(database, layout.stored(auditTables.events))} WHERE ${here(workspace)} AND seq IN (SELECT seq FROM ${removed} WHERE ${here(workspace)})`,
        {
          lane: 'short',
          settings: { ...querySettings, lightweight_delete_mode: 'lightweight_update_force' },
        },
      );
    },

    forgetUpTo: async (workspace, seq) => {
      await engine.command(
        `DELETE FROM ${qualified(database, layout.stored(auditTables.removed))} WHERE ${here(workspace)} AND seq <= ${String(seq)}`,
        {
          lane: 'short',
          settings: { ...querySettings, lightweight_delete_mode: 'lightweight_update_force' },
        },
      );
    },
  };
}
