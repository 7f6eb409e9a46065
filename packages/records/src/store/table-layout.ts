import {
  arrivalColumnDefinitions,
  selectionColumns,
  recordColumnDefinitions,
  createTable,
  orderOfRecords,
  qualifyTable,
  recordTableSettings,
  stagingSettings,
} from './record-table.ts';
import { quoteString, wordsIndex } from '@redoubt/query';
import { auditDefinitions } from '../audit/audit-tables.ts';

/** Where the tables of a store stand: on one server, or copied by a cluster. Tables are named without their database. */
export interface TableLayout {
  /** The cluster that the tables stand on. */
  cluster: string | undefined;
  createDatabase: string;
  /** The table that holds a dataset's records: what inserts and updates name. Whoever reads names the dataset's own table. */
  stored(table: string): string;
  createRecords(table: string): string[];
  /** Makes the tables of the audit log where they are missing. */
  createAudit(): string[];
  dropRecords(table: string): string[];
  /** What a statement begins with that changes the indexes of a dataset's table. */
  alter(table: string): string;
  createStaging(table: string): string;
  /** Waits until the table is gone, so that its name is free. */
  dropStaging(table: string): string;
  renameStaging(from: string, to: string): string;
  /** The ids of records that a change is about; dropped and renamed as what is staged. */
  createChoice(table: string): string;
  /**
   * Makes an empty table like that of a dataset, with a mark in its comment, puts it in its place, and drops what was
   * there: its files go when those who read it have ended.
   */
  putEmpty(table: string, empty: string, mark: string): string[];
  /** What an update needs before it may be called stored: nothing, or that each copy has it. */
  settle(table: string): string[];
  /** Has this server's copy catch up with what others stored. */
  catchUp(stored: string): string;
}

/** All tables on the one server of the engine. */
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
    // Without SYNC: it would wait for every reader of the dataset, however slow. The files go minutes later.
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
 * The path of a table in the cluster's Keeper. The uuid is the table's own and the same on all servers, so a dataset that is restored
 * under its id does not meet what is left of the one that was dropped.
 */
const replicated = "ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}')";
/** Equal blocks are stored as often as they come: records are told apart by their ids. */
const noDeduplication = 'replicated_deduplication_window = 0';

/**
 * Tables that each server of the cluster has a copy of: records in a ReplicatedMergeTree under a Distributed table that is read
 * from, what a write keeps for its end in a ReplicatedMergeTree, so that any server can end what another began.
 * @param cluster of one shard
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
CREATE TABLE IF NOT EXISTS ${named(stored(table))} ${onCluster} (${recordColumnDefinitions('JSON')},
  ${wordsIndex}
) ENGINE = ${replicated} ${orderOfRecords}
SETTINGS ${recordTableSettings}, ${noDeduplication}`,
      `
CREATE TABLE IF NOT EXISTS ${named(table)} ${onCluster} (${recordColumnDefinitions('JSON')}
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

/** @param cluster the cluster that the tables are to stand on; absent where one server has them all */
export const createTableLayout = (database: string, cluster: string | undefined): TableLayout =>
  cluster === undefined ? createSingleLayout(database) : createClusterLayout(database, cluster);
