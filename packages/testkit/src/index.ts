export { demoLabelField, readDemoRecords } from '@redoubt/server';
export { startTestStripe, type TestStripe } from './stripe/stripe-server.ts';
export { startTestS3, type TestS3 } from './s3/s3-server.ts';
export { startMailServer, type MailServer, type ReceivedMail } from './mail/mail-server.ts';
export { startTestClickhouse, type TestClickhouse } from './clickhouse/clickhouse-server.ts';
export { hostileStatements } from './hostile-sql/index.ts';
export { readTestEffort } from './test-effort.ts';
export { memoryOf } from './memory-of.ts';
export { growthOf, runSoak } from './soak/soak.ts';
export {
  createPostgresDatabase,
  metadataEngine,
  migrateDataFolder,
  acquireTestDatabase,
  type TestDatabase,
} from './metadata.ts';
export {
  createReferenceDatabase,
  hasReferenceServer,
  type ReferenceResult,
  type ReferenceDatabase,
} from './reference-database.ts';
export { createTestRuntime, testEpoch, type TestClock, type TestRuntime } from './runtime.ts';
export { startServer, type TestServer, type TestServerOptions } from './server.ts';
export { multipartBody, type MultipartPart } from './multipart-body.ts';
export { createSender, type Send, type ObservedResponse, type WorldRequest } from './create-sender.ts';
export { startTwoWorlds, type TwoWorlds } from './two-worlds.ts';
export {
  programEnvironment,
  ServerDidNotStart,
  startServerProcess,
  type ServerProcess,
} from './server-process.ts';
export { createFormBrowser, type FormBrowser, type PageForm, type RenderedPage } from './form-browser.ts';
export { sendRequest, type TestResponse, type SendOptions } from './send-request.ts';
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
  createRecordFixture,
  labelField,
  type RawResponse,
  type RecordResponse,
  type RecordFixture,
} from './record-fixture.ts';
export { pythonWith, type Python } from './python.ts';
export { createTestBrowser, type TestBrowser } from './identity-providers/browser.ts';
export {
  startSingleSignOnFixture,
  type SingleSignOnFixture,
} from './identity-providers/single-sign-on-fixture.ts';
export { startTestOidc, type TestIdentity, type TestOidc } from './identity-providers/oidc-server.ts';
export {
  startTestSocial,
  type TestSocial,
  type TestSocialToken,
} from './identity-providers/social-server.ts';
