export { createTestDatabase, metadataEngine, type TestDatabase } from './metadata.ts';
export { createTestRuntime, testEpoch, type TestClock, type TestRuntime } from './runtime.ts';
export { startServer, type TestServer, type TestServerOptions } from './server.ts';
export {
  startTwoWorlds,
  type Send,
  type TwoWorlds,
  type WorldAnswer,
  type WorldRequest,
} from './two-worlds.ts';
