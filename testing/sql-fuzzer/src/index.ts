export { createQueries } from './queries.ts';
export { ourText, shrink, treeText, type SqlTree } from './sql-tree.ts';
export { testTables, type TestColumn, type TestTable } from './tables.ts';
