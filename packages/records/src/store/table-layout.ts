import {
  arrivalColumnDefinitions,
  selectionColumns,
  datasetColumnDefinitions,
  createTable,
  orderOfRecords,
  qualifyTable,
  recordTableSettings,
  stagingSettings,
} from './record-table.ts';
import { quoteString, wordsIndex } from '@redoubt/query';
import { auditDefinitions } from '../audit/audit-tables.ts';

/** How tables are created and changed on one server or on a cluster. Table names have no database. */
export interface TableLayout {
  /** The cluster of the tables; undefined for one server. */
  cluster: string | undefined;
  createDatabase: string;
  /**
   * The table that stores the records of a dataset, for inserts and updates. Reads use the table of the dataset itself.
   */
  stored(table: string): string;
  createRecords(table: string): string[];
  /** Creates missing tables of the audit log. */
  createAudit(): string[];
  dropRecords(table: string): string[];
  /** The start of a statement that changes the indexes of the table of a dataset. */
  alter(table: string): string;
  createStaging(table: string): string;
  /** Waits until the table is gone, so that its name is free. */
  dropStaging(table: string): string;
  renameStaging(from: string, to: string): string;
  /** Creates the table of a selection; it is dropped and renamed like staging tables. */
  createChoice(table: string): string;
  /**
   * Creates an empty table like that of a dataset, with `mark` as its comment, replaces the old table by it, and drops
   * the old one. Its files are deleted when its readers have ended.
   */
  putEmpty(table: string, empty: string, mark: string): string[];
  /**
   * Statements to run after an update: on a cluster they wait until each server has stored it, otherwise there are
   * none.
   */
  settle(table: string): string[];
  /** Waits until the copy of this server has everything that other servers stored. */
  catchUp(stored: string): string;
}

/** The layout for one server. */
const createSingleLayout = (database: string): TableLayout => {
  const named = (table: string): string => qualifyTable(database, table);
  return {
    cluster: undefined,
    createDatabase: `CREATE DATABASE IF NOT EXISTS ${database}`,
    stored: (table) => table,
    createRecords: (table) => [createTable(database, table)],
    createAudit: () =>
      auditDefinitions.map(
        ({ table, columns, index, order }) =>
          `CREATE TABLE IF NOT EXISTS ${named(table)} (${columns}${index}) ENGINE = MergeTree ORDER BY ${order} SETTINGS ${recordTableSettings}`,
      ),
    // Without SYNC, which would wait for all readers of the dataset. The files are deleted some minutes later.
    dropRecords: (table) => [`DROP TABLE IF EXISTS ${named(table)}`],
    alter: (table) => `ALTER TABLE ${named(table)}`,
    createStaging: (table) =>
      `CREATE TABLE ${named(table)} (${arrivalColumnDefinitions}) ENGINE = MergeTree ${orderOfRecords} SETTINGS ${stagingSettings}`,
    dropStaging: (table) => `DROP TABLE IF EXISTS ${named(table)} SYNC`,
    renameStaging: (from, to) => `RENAME TABLE ${named(from)} TO ${named(to)}`,
    createChoice: (table) =>
      `CREATE TABLE ${named(table)} (${selectionColumns}) ENGINE = MergeTree ${orderOfRecords} SETTINGS ${stagingSettings}`,
    putEmpty: (table, empty, mark) => [
      `CREATE TABLE ${named(empty)} AS ${named(table)} ENGINE = MergeTree ${orderOfRecords} SETTINGS ${recordTableSettings}`,
      `ALTER TABLE ${named(empty)} MODIFY COMMENT ${quoteString(mark)}`,
      `EXCHANGE TABLES ${named(table)} AND ${named(empty)}`,
      `DROP TABLE ${named(empty)}`,
    ],
    settle: () => [],
    catchUp: () => 'SELECT 1',
  };
};

const stored = (table: string): string => `${table}__local`;

/**
 * The engine with the path of a table in Keeper. The UUID of the table is the same on all servers, so a dataset that is
 * restored under its old id does not conflict with remains of the dropped one.
 */
const replicated = "ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}')";
/** Turns deduplication off, so that equal blocks are all stored: records differ by their ids. */
const noDeduplication = 'replicated_deduplication_window = 0';

/**
 * The layout for a cluster: each server has a copy of all tables. Records are in a ReplicatedMergeTree and are read
 * through a Distributed table. Unfinished writes are in a ReplicatedMergeTree too, so that any server can complete
 * them.
 * @param cluster the name of a cluster with one shard
 */
const createClusterLayout = (database: string, cluster: string): TableLayout => {
  const named = (table: string): string => qualifyTable(database, table);
  const onCluster = `ON CLUSTER ${cluster}`;
  return {
    cluster,
    createDatabase: `CREATE DATABASE IF NOT EXISTS ${database} ${onCluster}`,
    stored,
    createRecords: (table) => [
      `
CREATE TABLE IF NOT EXISTS ${named(stored(table))} ${onCluster} (${datasetColumnDefinitions},
  ${wordsIndex}
) ENGINE = ${replicated} ${orderOfRecords}
SETTINGS ${recordTableSettings}, ${noDeduplication}`,
      `
CREATE TABLE IF NOT EXISTS ${named(table)} ${onCluster} (${datasetColumnDefinitions}
) ENGINE = Distributed('${cluster}', '${database}', '${stored(table)}')`,
    ],
    createAudit: () =>
      auditDefinitions.flatMap(({ table, columns, index, order }) => [
        `CREATE TABLE IF NOT EXISTS ${named(stored(table))} ${onCluster} (${columns}${index}) ENGINE = ${replicated} ORDER BY ${order} SETTINGS ${recordTableSettings}, ${noDeduplication}`,
        `CREATE TABLE IF NOT EXISTS ${named(table)} ${onCluster} (${columns}) ENGINE = Distributed('${cluster}', '${database}', '${stored(table)}')`,
      ]),
    dropRecords: (table) =>
      [table, stored(table)].map((each) => `DROP TABLE IF EXISTS ${named(each)} ${onCluster}`),
    alter: (table) => `ALTER TABLE ${named(stored(table))} ${onCluster}`,
    createStaging: (table) =>
      `CREATE TABLE ${named(table)} ${onCluster} (${arrivalColumnDefinitions}) ENGINE = ${replicated} ${orderOfRecords} SETTINGS ${stagingSettings}, ${noDeduplication}`,
    dropStaging: (table) => `DROP TABLE IF EXISTS ${named(table)} ${onCluster} SYNC`,
    renameStaging: (from, to) => `RENAME TABLE ${named(from)} TO ${named(to)} ${onCluster}`,
    createChoice: (table) =>
      `CREATE TABLE ${named(table)} ${onCluster} (${selectionColumns}) ENGINE = ${replicated} ${orderOfRecords} SETTINGS ${stagingSettings}, ${noDeduplication}`,
    putEmpty: (table, empty, mark) => [
      `CREATE TABLE ${named(empty)} ${onCluster} AS ${named(stored(table))} ENGINE = ${replicated} ${orderOfRecords} SETTINGS ${recordTableSettings}, ${noDeduplication}`,
      `ALTER TABLE ${named(empty)} ${onCluster} MODIFY COMMENT ${quoteString(mark)}`,
      `EXCHANGE TABLES ${named(stored(table))} AND ${named(empty)} ${onCluster}`,
      `DROP TABLE ${named(empty)} ${onCluster}`,
    ],
    settle: (table) => [`SYSTEM SYNC REPLICA ${onCluster} ${named(stored(table))}`],
    catchUp: (table) => `SYSTEM SYNC REPLICA ${named(table)}`,
  };
};

/** @param cluster the cluster for the tables; undefined for one server */
export const createTableLayout = (database: string, cluster: string | undefined): TableLayout =>
  cluster === undefined ? createSingleLayout(database) : createClusterLayout(database, cluster);
