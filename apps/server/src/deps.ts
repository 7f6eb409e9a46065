import type { RecordStore } from '@redoubt/records';
import { wireApiKeys } from './features/api-keys/index.ts';
import { wireApplications } from './features/applications/index.ts';
import { createOperatorAccounts, wireAccounts, type OperatorAccounts } from './features/accounts/index.ts';
import { wireAttributes } from './features/attributes/index.ts';
import { wireAuditLog } from './features/audit-log/index.ts';
import { wireAuthentication } from './features/authentication/index.ts';
import { wireBilling, type UsageReport } from './features/billing/index.ts';
import { wireConnections } from './features/connections/index.ts';
import { wireDatasets } from './features/datasets/index.ts';
import { wireGroups } from './features/groups/index.ts';
import { wireIdentityProviders } from './features/identity-providers/index.ts';
import { createIndexVisibility, wireIndexes } from './features/indexes/index.ts';
import {
  wireIngest,
  wireObjectDrops,
  wireSources,
  wireUploadFiles,
  type IngestLimits,
  type OwnStore,
} from './features/ingest/index.ts';
import { wireMedia } from './features/media/index.ts';
import { wireInvitations } from './features/invitations/index.ts';
import { wireLabelVisibility } from './features/label-visibility/index.ts';
import { wireLabelParsers } from './features/label-parsers/index.ts';
import { wireJobs } from './features/jobs/index.ts';
import { wireProfilePictures } from './features/profile-pictures/index.ts';
import { wireOAuth } from './features/oauth/index.ts';
import { wireRecords } from './features/records/index.ts';
import { wireSchedules, type ScheduleClock } from './features/schedules/index.ts';
import { wireSessions } from './features/sessions/index.ts';
import { revokeUntrustedProviders } from './features/single-sign-on/index.ts';
import { wireStorage } from './features/storage/index.ts';
import { wireSystem } from './features/system/index.ts';
import { wireTransferRequests } from './features/transfer-requests/index.ts';
import { wireUsers } from './features/users/index.ts';
import { wireWorkbench } from './features/workbench/index.ts';
import { wireWorkspacePermissions } from './features/workspace-permissions/index.ts';
import { wireWorkspaces } from './features/workspaces/index.ts';
import { createAuditLog, type AuditLog } from './platform/audit/index.ts';
import type { Db } from './platform/db/database.ts';
import type { SignUp, SingleSignOnSettings, StripeSettings } from './platform/config/index.ts';
import { createAuthenticate, type Authenticate } from './platform/auth/authenticate.ts';
import type { AttemptLimits } from './platform/auth/attempt-limiter.ts';
import { createSignInThrottle, type SignInThrottleRules } from './platform/auth/sign-in-throttle.ts';
import { createPasswords, type PasswordCost } from './platform/auth/passwords.ts';
import { createKeyRepository } from './platform/auth/key.repository.ts';
import { createReauthenticateActor } from './platform/auth/reauthenticate-actor.ts';
import { createSessionRepository } from './platform/auth/session.repository.ts';
import { createTokens } from './platform/auth/tokens.ts';
import type { ObjectStore } from './platform/files/index.ts';
import type { RouteBinding } from './platform/http/binding.ts';
import type { Protection } from './platform/http/protection/protection.ts';
import type { JobRunner } from './platform/jobs/index.ts';
import { createMailQueue, type MailQueue, type MailTransport } from './platform/mail/index.ts';
import type { Logger } from './platform/log/logger.ts';
import { createMetering, type Meter, type Metering } from './platform/metering/index.ts';
import type { Runtime } from './platform/runtime.ts';
import type { SecretBox } from './platform/secrets/index.ts';
import type { Site } from './platform/site/index.ts';

import { createSubscriptions, type Subscriptions } from './platform/subscriptions/index.ts';

/** Everything that the server needs from outside: engines, settings and sources of time and randomness. */
export interface ServerDeps {
  db: Db;
  store: RecordStore;
  /** People's files. */
  files: ObjectStore;
  /** The folder of the order of tables on screens, emptied at the start. */
  viewFolder: string;
  /** Whether files are fetched from private networks and this machine. */
  allowsPrivateSources?: boolean | undefined;
  /** The programs that read sources of the type OTHER, by name: the words of their command lines. */
  connectors?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The bucket of the server's own files, which no ingest may read. */
  ownStore?: OwnStore | undefined;
  /** Limits of uploads and ingest jobs that differ from the defaults. */
  ingestLimits?: Partial<IngestLimits> | undefined;
  /** Recognises text by Tesseract in WebAssembly even if the program is installed; for tests. */
  avoidsTesseract?: boolean | undefined;
  /** The languages of the text in images, where a request names none. */
  ocrLanguages?: readonly string[] | undefined;
  runtime: Runtime;
  logger: Logger;
  /** The key that signs access tokens. */
  signingKey: Uint8Array;
  /** Encrypts secrets that the server must read again, such as provider client secrets. */
  secrets: SecretBox;
  signUp: SignUp;
  /** Settings of single sign-on; without them people cannot sign in through identity providers. */
  singleSignOn?: SingleSignOnSettings;
  /** The URL at which people reach the server, without a trailing slash; known once it listens. */
  publicUrl: () => string;
  /** Sends the server's mail; without it none is sent. */
  mail?: MailTransport;
  /** The cost of hashing a password; has a default. */
  passwordCost?: PasswordCost;
  /** How many requests with a password are checked at once; has a default. */
  attemptLimits?: AttemptLimits | undefined;
  /** How failed sign-ins delay further ones; has a default. */
  guessRules?: SignInThrottleRules;
  limits: {
    /** Maximum size of a request body in bytes, after decompression. */
    bodyBytes: number;
    /** Maximum time that one query may run, and that it may wait in the queue. */
    querySeconds: number;
  };
  /** Counts the engine time and the response bytes that each workspace uses. */
  meter: Meter;
  /** Settings of Stripe; without them nothing is billed. */
  stripe?: StripeSettings | undefined;
  /** The documentation site; without it the server has only the API. */
  site?: Site | undefined;
  /** The console, at `/app/`. */
  console?: Site | undefined;
  /** Aborted when the server stops waiting for requests in flight. */
  cut?: AbortSignal | undefined;
  /** Overrides of `noProtection`. */
  protection?: Partial<Protection>;
  jobs: {
    /** Whether other processes run jobs of the same database. */
    shared: boolean;
    /** Maximum number of jobs of one workspace that run at once. */
    perWorkspace: number;
  };
}

export interface ComposedServer {
  bindings: RouteBinding[];
  /** The caller starts and stops it together with `jobs`. */
  audit: AuditLog;
  authenticate: Authenticate;
  subscriptions: Pick<Subscriptions, 'intercept'>;
  metering: Metering;
  usageReport: UsageReport;
  /** The caller starts it once the server listens, and stops it before the jobs. */
  schedules: ScheduleClock;
  /** The caller starts it when the app is ready, and stops it when the app closes. */
  jobs: Pick<JobRunner, 'settled' | 'start' | 'stop'>;
  /** The caller starts it when the server listens, since links in mail need its URL. */
  mail: Pick<MailQueue, 'settled' | 'start' | 'stop'>;
  /** The caller runs it when the server listens, and not earlier, so that a failed start prints only its error. */
  onListen(): Promise<void>;
  /** Account commands for the operator of the machine (`redoubt accounts`). */
  operatorAccounts: OperatorAccounts;
}

/** The composition root: hands every feature what it needs and collects the routes that it returns. */
export const wireFeatures = async (deps: ServerDeps): Promise<ComposedServer> => {
  const { db, runtime } = deps;
  const tokens = createTokens({ secret: deps.signingKey, clock: runtime.clock });
  const sessions = createSessionRepository(db);
  const keys = createKeyRepository(db);
  const reauthenticate = createReauthenticateActor({ sessions, keys, clock: runtime.clock });
  const passwords = createPasswords({
    random: runtime.random,
    cost: deps.passwordCost,
    limits: deps.attemptLimits,
  });
  const subscriptions = createSubscriptions({
    db,
    meter: deps.meter,
    isBilled: deps.stripe !== undefined,
    querySeconds: deps.limits.querySeconds,
  });
  const audit = createAuditLog({ ...deps, ...runtime, store: deps.store.audit });
  const mail = createMailQueue({ db, transport: deps.mail, runtime, logger: deps.logger });
  const throttle = createSignInThrottle({
    db,
    passwords,
    secret: deps.signingKey,
    clock: runtime.clock,
    rules: deps.guessRules,
  });
  const platform = {
    ...deps,
    throttle,
    mail,
    audit,
    subscriptions,
    tokens,
    sessions,
    keys,
    reauthenticate,
    passwords,
  };
  const attributes = wireAttributes(platform);
  const { held } = attributes;
  const groups = wireGroups(platform);
  const identityProviders = wireIdentityProviders({
    ...platform,
    allowsPrivate: deps.singleSignOn?.allowsPrivate ?? false,
  });
  const drops = wireObjectDrops({ ...platform, shared: deps.jobs.shared });
  const datasets = wireDatasets({
    ...platform,
    heldTokens: held.heldTokens,
    findVisibleGroup: groups.findVisibleGroup,
    afterRemoval: drops.drain,
  });
  const visibility = createIndexVisibility({
    ...platform,
    access: datasets.access,
    heldTokens: held.heldTokens,
  });
  const jobs = wireJobs({ ...platform, visibility });
  const metering = createMetering({ ...platform, clock: runtime.clock });
  const billing = wireBilling({ ...platform, metering });
  const indexes = wireIndexes({
    ...platform,
    access: datasets.access,
    settings: datasets.settings,
    heldTokens: held.heldTokens,
    jobs,
    visibility,
  });
  const uploads = wireUploadFiles({ ...platform, drops });
  const storage = wireStorage({ ...platform, access: datasets.access, held, jobs, uploads });
  const sources = wireSources({
    ...platform,
    allowsPrivate: deps.allowsPrivateSources ?? false,
    connectors: deps.connectors ?? {},
    ownStore: deps.ownStore,
  });
  const { bindings: connectionBindings, connections } = wireConnections({
    ...platform,
    held,
    findVisibleGroup: groups.findVisibleGroup,
    sources: sources.sources,
  });
  const ingest = wireIngest({
    ...platform,
    access: datasets.access,
    held,
    jobs,
    drops,
    uploads,
    auditedColumns: datasets.auditedColumns,
    afterWrite: indexes.afterWrite,
    sources,
    connections,
    limits: deps.ingestLimits,
    avoidsTesseract: deps.avoidsTesseract,
    ocrLanguages: deps.ocrLanguages,
  });
  const schedules = wireSchedules({ ...platform, jobs, ingest: ingest.starter });
  const media = wireMedia({ ...platform, access: datasets.access, held, pages: ingest.pages });
  const workbench = wireWorkbench(platform);
  const authentication = wireAuthentication({
    ...platform,
    findOwnProvider: identityProviders.findOwnProvider,
    listProvidersOfWorkspace: identityProviders.listProvidersOfWorkspace,
    hasConsole: deps.console !== undefined,
  });
  const accounts = wireAccounts(platform);
  const invitations = wireInvitations(platform);
  const people = wireUsers({
    ...platform,
    accounts: accounts.changes,
    invitations: invitations.invitations,
  });
  const workspaces = wireWorkspaces({
    ...platform,
    drainPendingDrops: async () => {
      await datasets.drainPendingDrops();
      await drops.drain();
    },
  });
  await revokeUntrustedProviders({ ...platform, listOwnProviders: identityProviders.listOwnProviders });
  await datasets.recoverPendingDrops();
  await storage.dropOldChanges();
  await ingest.recover();
  return {
    onListen: ingest.reportConfinement,
    bindings: [
      ...authentication.bindings,
      ...wireSessions({ ...platform, workspacesOf: authentication.workspacesOf }).bindings,
      ...people.bindings,
      ...accounts.bindings,
      ...wireProfilePictures({ ...platform, users: people.users }).bindings,
      ...invitations.bindings,
      ...workspaces.bindings,
      ...wireWorkspacePermissions(platform).bindings,
      ...attributes.bindings,
      ...wireApiKeys({ ...platform, held }).bindings,
      ...groups.bindings,
      ...datasets.bindings,
      ...wireTransferRequests({ ...platform, access: datasets.access }).bindings,
      ...wireRecords({
        ...platform,
        access: datasets.access,
        auditedColumns: datasets.auditedColumns,
        held,
        afterWrite: indexes.afterWrite,
        runs: workbench.runs,
        previewOf: media.previewOf,
      }).bindings,
      ...workbench.bindings,
      ...wireLabelParsers(platform).bindings,
      ...wireLabelVisibility({ ...platform, held, access: datasets.access }).bindings,
      ...indexes.bindings,
      ...storage.bindings,
      ...ingest.bindings,
      ...connectionBindings,
      ...media.bindings,
      ...jobs.bindings,
      ...schedules.bindings,
      ...wireApplications({ ...platform, access: datasets.access }).bindings,
      ...wireOAuth({ ...platform, authenticate: authentication.authenticate }).bindings,
      ...identityProviders.bindings,
      ...billing.bindings,
      ...wireAuditLog({ ...platform, held }).bindings,
      ...wireSystem(platform).bindings,
    ],
    audit,
    subscriptions,
    usageReport: billing.usageReport,
    schedules: schedules.clock,
    metering,
    jobs: jobs.runner,
    operatorAccounts: createOperatorAccounts({
      ...platform,
      links: accounts.links,
      createWorkspace: workspaces.workspaces.create,
    }),
    mail,
    authenticate: createAuthenticate({ tokens, sessions, keys, clock: runtime.clock }),
  };
};
