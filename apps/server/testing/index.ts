export { labelField as demoLabelField, readDemoRecords } from '../src/demo/demo-records.ts';
export { openDatabase } from '../src/platform/db/database.ts';
export { createSmtpTransport } from '../src/platform/mail/index.ts';
export {
  acquireTestDatabase,
  createPostgresDatabase,
  metadataEngine,
  migrateDataFolder,
  type TestDatabase,
} from './metadata.ts';
export { createTestRuntime, testEpoch, type TestRuntime } from './runtime.ts';
export {
  programEnvironment,
  ServerDidNotStart,
  startServerProcess,
  type ServerProcess,
} from './server-process.ts';
export {
  sharedServer,
  startServer,
  type SharedServer,
  type TestServer,
  type TestServerOptions,
} from './server.ts';
export { startSingleSignOnFixture, type SingleSignOnFixture } from './single-sign-on-fixture.ts';
export { startTwoWorlds, type TwoWorlds } from './two-worlds.ts';
