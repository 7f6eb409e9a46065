export { createTestDatabase, metadataEngine, type TestDatabase } from './metadata.ts';
export { createTestRuntime, testEpoch, type TestClock, type TestRuntime } from './runtime.ts';
export { startServer, type TestServer, type TestServerOptions } from './server.ts';
