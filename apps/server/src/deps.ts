import type { RecordStore } from '@redoubt/records';
import { wireApiKeys } from './features/api-keys/index.ts';
import { wireApplications } from './features/applications/index.ts';
import { createOperatorAccounts, wireAccounts, type OperatorAccounts } from './features/accounts/index.ts';
import { wireAttributes } from './features/attributes/index.ts';
import { wireAuditLog } from './features/audit-log/index.ts';
import { wireAuthentication } from './features/authentication/index.ts';
import { wireBilling, type UsageReport } from './features/billing/index.ts';
import { wireDatasets } from './features/datasets/index.ts';
import { wireGroups } from './features/groups/index.ts';
import { wireIdentityProviders } from './features/identity-providers/index.ts';
import { createIndexSight, wireIndexes } from './features/indexes/index.ts';
import { createInvitationService, wireInvitations } from './features/invitations/index.ts';
import { wireLabelParsers } from './features/label-parsers/index.ts';
import { wireJobs } from './features/jobs/index.ts';
import { wireProfilePictures } from './features/profile-pictures/index.ts';
import { wireOAuth } from './features/oauth/index.ts';
import { wireRecords } from './features/records/index.ts';
import { wireSessions } from './features/sessions/index.ts';
import { revokeUntrustedProviders } from './features/single-sign-on/index.ts';
import { wireStorage } from './features/storage/index.ts';
import { wireSystem } from './features/system/index.ts';
import { wireTransferRequests } from './features/transfer-requests/index.ts';
import { wireUsers } from './features/users/index.ts';
import { wireWorkspacePermissions } from './features/workspace-permissions/index.ts';
import { wireWorkspaces } from './features/workspaces/index.ts';
import { createAuditLog, type AuditLog } from './platform/audit/index.ts';
import type { Db } from './platform/db/database.ts';
import type { SignUp, SingleSignOnSettings, StripeSettings } from './platform/config/index.ts';
import { createAuthenticate, type Authenticate } from './platform/auth/authenticate.ts';
import { createSignInThrottle, type SignInThrottleRules } from './platform/auth/sign-in-throttle.ts';
import { createPasswords, type PasswordCost } from './platform/auth/passwords.ts';
import { createKeyRepository } from './platform/auth/key.repository.ts';
import { createReauthenticateActor } from './platform/auth/reauthenticate-actor.ts';
import { createSessionRepository } from './platform/auth/session.repository.ts';
import { createTokens } from './platform/auth/tokens.ts';
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

/** What the server stands on. */
export interface ServerDeps {
  db: Db;
  store: RecordStore;
  runtime: Runtime;
  logger: Logger;
  /** The key that signs access tokens. */
  signingKey: Uint8Array;
  /** Seals what has to be used again. */
  secrets: SecretBox;
  signUp: SignUp;
  /** Where people may sign in by identity providers; nowhere else where it is absent. */
  singleSignOn?: SingleSignOnSettings;
  /** The address by which people reach the server, without a slash at its end; known once it listens. */
  publicUrl: () => string;
  /** What takes the server's mail, where it sends any. */
  mail?: MailTransport;
  /** What hashing a password costs, where it is not the usual. */
  passwordCost?: PasswordCost;
  /** How failed sign-ins delay further ones, where it is not the usual. */
  guessRules?: SignInThrottleRules;
  limits: {
    /** Bytes of an unpacked body. */
    bodyBytes: number;
    /** How long one query may run, and wait for its turn. */
    querySeconds: number;
  };
  /** What the record engine and the answers were measured with. */
  meter: Meter;
  /** Who collects what workspaces owe; absent where nothing is billed. */
  stripe?: StripeSettings | undefined;
  /** The pages for people; absent, there are none. */
  site?: Site | undefined;
  /** Aborted when a stop waits no longer for requests in flight. */
  cut?: AbortSignal | undefined;
  /** What is not said here is as in `noProtection`. */
  protection?: Partial<Protection>;
  jobs: {
    /** Whether other processes run jobs of the same database. */
    shared: boolean;
    /** Jobs of a workspace that run side by side. */
    perWorkspace: number;
  };
}

export interface ComposedServer {
  bindings: RouteBinding[];
  /** To be started and stopped as jobs are. */
  audit: AuditLog;
  authenticate: Authenticate;
  subscriptions: Pick<Subscriptions, 'around'>;
  metering: Metering;
  usageReport: UsageReport;
  /** To be started when requests can be answered, and stopped when they no longer are. */
  jobs: Pick<JobRunner, 'settled' | 'start' | 'stop'>;
  /** Likewise. */
  mail: Pick<MailQueue, 'settled' | 'start' | 'stop'>;
  /** For the operator of the machine. */
  operatorAccounts: OperatorAccounts;
}

/** The composition root: every feature gets what it needs, and gives its routes. */
export const wireFeatures = async (deps: ServerDeps): Promise<ComposedServer> => {
  const { db, runtime } = deps;
  const tokens = createTokens({ secret: deps.signingKey, clock: runtime.clock });
  const sessions = createSessionRepository(db);
  const keys = createKeyRepository(db);
  const reauthenticate = createReauthenticateActor({ sessions, keys, clock: runtime.clock });
  const passwords = createPasswords({ random: runtime.random, cost: deps.passwordCost });
  const subscriptions = createSubscriptions({
    db,
    meter: deps.meter,
    isBilled: deps.stripe !== undefined,
    querySeconds: deps.limits.querySeconds,
  });
  const audit = createAuditLog({ ...deps, ...runtime, store: deps.store.audit });
  const mail = createMailQueue({ db, transport: deps.mail, runtime, logger: deps.logger });
  const guesses = createSignInThrottle({
    db,
    secret: deps.signingKey,
    clock: runtime.clock,
    rules: deps.guessRules,
  });
  const platform = { ...deps, guesses, mail, audit, subscriptions, tokens, sessions, keys, reauthenticate, passwords };
  const { bindings: attributeBindings, held } = wireAttributes(platform);
  const { bindings: groupBindings, findVisibleGroup } = wireGroups(platform);
  const identityProviders = wireIdentityProviders({
    ...platform,
    allowsPrivate: deps.singleSignOn?.allowsPrivate ?? false,
  });
  const datasets = wireDatasets({ ...platform, heldTokens: held.heldTokens, findVisibleGroup });
  const sight = createIndexSight({ ...platform, access: datasets.access, heldTokens: held.heldTokens });
  const jobs = wireJobs({ ...platform, sight });
  const metering = createMetering({ ...platform, clock: runtime.clock });
  const billing = wireBilling({ ...platform, metering });
  const indexes = wireIndexes({
    ...platform,
    access: datasets.access,
    settings: datasets.settings,
    heldTokens: held.heldTokens,
    jobs,
    sight,
  });
  const storage = wireStorage({ ...platform, access: datasets.access, held, jobs });
  const authentication = wireAuthentication({
    ...platform,
    findOwnProvider: identityProviders.findOwnProvider,
  });
  const accounts = wireAccounts(platform);
  const invitations = createInvitationService(platform);
  const people = wireUsers({ ...platform, accounts: accounts.changes, invitations });
  const { bindings: workspaceBindings, workspaces } = wireWorkspaces({
    ...platform,
    drainPendingDrops: datasets.drainPendingDrops,
  });
  await revokeUntrustedProviders({ ...platform, listOwnProviders: identityProviders.listOwnProviders });
  await datasets.recoverPendingDrops();
  await storage.dropOldChanges();
  return {
    bindings: [
      ...authentication.bindings,
      ...wireSessions(platform),
      ...people.bindings,
      ...accounts.bindings,
      ...wireProfilePictures({ audit, db, users: people.users }),
      ...wireInvitations(invitations),
      ...workspaceBindings,
      ...wireWorkspacePermissions(platform),
      ...attributeBindings,
      ...wireApiKeys({ ...platform, held }),
      ...groupBindings,
      ...datasets.bindings,
      ...wireTransferRequests({ ...platform, access: datasets.access }),
      ...wireRecords({
        ...platform,
        access: datasets.access,
        auditedColumns: datasets.auditedColumns,
        held,
        afterWrite: indexes.afterWrite,
      }),
      ...wireLabelParsers(platform),
      ...indexes.bindings,
      ...storage.bindings,
      ...jobs.bindings,
      ...wireApplications({ ...platform, access: datasets.access }),
      ...wireOAuth({ ...platform, authenticate: authentication.authenticate }),
      ...identityProviders.bindings,
      ...billing.bindings,
      ...wireAuditLog({ ...platform, held }),
      ...wireSystem(platform),
    ],
    audit,
    subscriptions,
    usageReport: billing.usageReport,
    metering,
    jobs: jobs.runner,
    operatorAccounts: createOperatorAccounts({
      ...platform,
      links: accounts.links,
      createWorkspace: workspaces.create,
    }),
    mail,
    authenticate: createAuthenticate({ tokens, sessions, keys, clock: runtime.clock }),
  };
};
