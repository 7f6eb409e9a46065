export { createMemoryCatalog } from './memory-catalog.ts';
export { startTestClickhouse } from './test-clickhouse.ts';
export { engineFolder, openTestStore, textOf, type TestStore } from './test-store.ts';
