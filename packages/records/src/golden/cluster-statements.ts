import { createTableLayout } from '../store/table-layout.ts';

const layout = createTableLayout('redoubt', 'shared_nothing');
const table = 'ds_0198a5b2_0000_7000_8000_000000000001';
const [local = '', distributed = ''] = layout.createRecords(table);
const [dropDistributed = '', dropLocal = ''] = layout.dropRecords(table);
const [createEmpty = '', markEmpty = '', exchangeEmpty = '', dropExchanged = ''] = layout.putEmpty(
  table,
  `${layout.stored(table)}__cleared`,
  'change-1',
);

/** The statements that manage tables on a cluster, by the name of their golden file. */
export const clusterStatements: Readonly<Record<string, string>> = {
  'create-database': layout.createDatabase,
  'create-records': local,
  'create-distributed': distributed,
  'create-staging': layout.createStaging(`${table}__checking`),
  'rename-staging': layout.renameStaging(`${table}__checking`, `${table}__staged`),
  'drop-staging': layout.dropStaging(`${table}__staged`),
  'create-choice': layout.createChoice(`${table}__choosing_1`),
  'create-empty': createEmpty,
  'mark-empty': markEmpty,
  'exchange-empty': exchangeEmpty,
  'drop-exchanged': dropExchanged,
  'drop-distributed': dropDistributed,
  'drop-records': dropLocal,
  'settle-update': layout.settle(table).join(';\n'),
  'catch-up': layout.catchUp(layout.stored(table)),
};

/** The text of the golden file of a statement. */
export const clusterGoldenText = (statement: string): string => `${statement.trim()};\n`;
export const clusterGoldenFile = (name: string): URL =>
  new URL(`./cluster/${name}.golden.sql`, import.meta.url);
