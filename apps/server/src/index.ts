export { buildApp } from './app.ts';
export type { ServerDeps } from './deps.ts';
export { createDatasetCatalog } from './features/records/index.ts';
export { openDatabase, type Db } from './platform/db/database.ts';
export { createLogger, type Logger } from './platform/log/logger.ts';
export type { Clock, Ids, Random, Runtime } from './platform/runtime.ts';
export { createSecretBox, secretKeyOf, type SecretBox } from './platform/secrets/index.ts';
