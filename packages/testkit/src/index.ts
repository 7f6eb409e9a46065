export { demoLabelField, readDemoRecords } from '@redoubt/server';
export { startTestStripe, type TestStripe } from './stripe/stripe-server.ts';
export { startTestS3, type TestS3 } from './s3/s3-server.ts';
export { startMailServer, type MailServer, type ReceivedMail } from './mail/mail-server.ts';
export { startTestClickhouse, type TestClickhouse } from './clickhouse/clickhouse-server.ts';
export { hostileStatements } from './hostile-sql/index.ts';
export { effort } from './effort.ts';
export { memoryOf } from './memory-of.ts';
export { growthOf, runSoak } from './soak/soak.ts';
export {
  createPostgresDatabase,
  metadataEngine,
  migrateDataFolder,
  takeTestDatabase,
  type TestDatabase,
} from './metadata.ts';
export {
  createReferenceDatabase,
  hasReferenceServer,
  type ReferenceAnswer,
  type ReferenceDatabase,
} from './reference-database.ts';
export { createTestRuntime, testEpoch, type TestClock, type TestRuntime } from './runtime.ts';
export { startServer, type TestServer, type TestServerOptions } from './server.ts';
export { sender, type Send, type WorldAnswer, type WorldRequest } from './sender.ts';
export { startTwoWorlds, type TwoWorlds } from './two-worlds.ts';
export {
  programEnvironment,
  ServerDidNotStart,
  startServerProcess,
  type ServerProcess,
} from './server-process.ts';
export { createFormBrowser, type FormBrowser, type PageForm, type SeenPage } from './form-browser.ts';
export { ask, type Answer, type AskOptions } from './ask.ts';
export {
  addMember,
  chooseOwnPassword,
  createWorkspace,
  signIn,
  signUp,
  type TestPerson,
  type TestWorkspace,
} from './people.ts';
export {
  bodyOf,
  createRecordDesk,
  labelField,
  type RawAnswer,
  type RecordAnswer,
  type RecordDesk,
} from './record-desk.ts';
export { pythonWith, type Python } from './python.ts';
export { createTestBrowser, type TestBrowser } from './identity-providers/browser.ts';
export { startSingleSignOnHouse, type SingleSignOnHouse } from './identity-providers/single-sign-on-house.ts';
export { startTestOidc, type TestIdentity, type TestOidc } from './identity-providers/oidc-server.ts';
export {
  startTestSocial,
  type TestSocial,
  type TestSocialToken,
} from './identity-providers/social-server.ts';
