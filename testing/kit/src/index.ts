export { startTestStripe, type TestStripe } from './stripe/stripe-server.ts';
export { startTestS3, type TestS3 } from './s3/s3-server.ts';
export { startHttpRelay, type HttpRelay, type RelayAction, type RelayedRequest } from './http-relay.ts';
export { startMailServer, type MailServer, type ReceivedMail } from './mail/mail-server.ts';
export {
  startClickhouse,
  type TestClickhouse,
  type TestClickhouseOptions,
} from './clickhouse/clickhouse-server.ts';
export { createRandom, type Random } from './random.ts';
export { hostileStatements } from './hostile-sql/index.ts';
export { readTestEffort, sampleOf } from './test-effort.ts';
export { memoryOf, type MemorySample } from './memory-of.ts';
export {
  createReferenceDatabase,
  hasReferenceServer,
  type ReferenceResult,
  type ReferenceDatabase,
} from './reference-database.ts';
export { startMariadb, type TestMariadb } from './mariadb.ts';
export { startTds, type TestTds } from './tds/tds-server.ts';
export type { TdsColumn, TdsValue } from './tds/tds-tokens.ts';
export { createPostgresSource, type PostgresSource } from './postgres-source.ts';
export { findKafkaJars } from './kafka/kafka-jars.ts';
export { startKafka, type TestKafka } from './kafka/kafka-server.ts';
export { startPostgresGate, type PostgresGate } from './postgres-gate.ts';
export { withEnvironment } from './with-environment.ts';
export { multipartBody, type MultipartPart } from './multipart-body.ts';
export { createSourceFixture, outcomeOf, type SourceFixture } from './source-fixture.ts';
export { createUploadFixture, type EndedUpload, type UploadFixture } from './upload-fixture.ts';
export { createSender, type Send, type ObservedResponse, type WorldRequest } from './create-sender.ts';
export { createFormBrowser, type FormBrowser, type PageForm, type RenderedPage } from './form-browser.ts';
export {
  sendExpected,
  sendRequest,
  type ExpectedCall,
  type TestResponse,
  type SendOptions,
} from './send-request.ts';
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
export { startTestOidc, type TestIdentity, type TestOidc } from './identity-providers/oidc-server.ts';
export {
  startTestSocial,
  type TestSocial,
  type TestSocialToken,
} from './identity-providers/social-server.ts';
export { onePagePdf } from './one-page-pdf.ts';
