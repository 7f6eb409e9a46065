export { createDatasetCatalog } from './dataset-catalog.repository.ts';
