import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { inTransaction, type Db } from '../../platform/db/database.ts';
import { isApplicationUsableBy } from '../applications/index.ts';
import { liveGrants } from './live-grants.repository.ts';

/** An application as an OAuth client. */
export interface OAuthClient {
  id: string;
  clientId: string;
  secretHash: string;
  name: string;
  url: string;
  redirectUrl: string;
  type: 'mls' | 'sls';
  workspaceUid: string;
  workspaceId: string;
  workspaceName: string;
  /** Everything that the consent page shows of it, as one string to detect changes. */
  terms: string;
}

/** The access that a person has granted to an application. */
export interface Grant {
  grantId: string;
  applicationId: string;
  clientId: string;
  /** The name of the application. */
  name: string;
  accountId: string;
  email: string;
  workspaceUid: string;
  /** The type at the time of consent: a change of the type ends the grant. */
  type: 'mls' | 'sls';
}

/** A code or refresh token with its grant. */
export interface StoredToken extends Grant {
  expiresAt: Date;
  isUsed: boolean;
}

export interface StoredCode extends StoredToken {
  redirectUrl: string;
  challenge: string;
}

export interface RequiredDataset {
  id: string;
  name: string;
  action: 'read' | 'write' | 'manage';
}

export interface OAuthRepository {
  findClient(clientId: string): Promise<OAuthClient | undefined>;
  /** Whether the actor is an allowed user of the application with all required permissions. */
  isUsable(actor: Member, applicationId: string): Promise<boolean>;
  /** Returns the datasets that the application is limited to, ordered by name. */
  requiredDatasets(applicationId: string, workspaceUid: string): Promise<RequiredDataset[]>;
  /**
   * Stores a grant with its code.
   * @returns false, without storing anything, if the session has ended or the terms of the application have changed
   */
  saveCode(code: {
    hash: string;
    grantId: string;
    applicationId: string;
    terms: string;
    actor: Member;
    redirectUrl: string;
    challenge: string;
    now: Date;
    expiresAt: Date;
  }): Promise<boolean>;
  findCode(hash: string): Promise<StoredCode | undefined>;
  /** Marks the code as used. @returns false if it was already used */
  useCode(hash: string, now: Date): Promise<boolean>;
  /** @returns false if the grant was revoked meanwhile */
  saveRefreshToken(token: { hash: string; grantId: string; now: Date; expiresAt: Date }): Promise<boolean>;
  findRefreshToken(hash: string): Promise<StoredToken | undefined>;
  useRefreshToken(hash: string, now: Date): Promise<boolean>;
  /** Returns the grant of a session, if the session belongs to that application. */
  grantOfSession(sessionId: string, clientId: string): Promise<Grant | undefined>;
  /** Returns undefined if the grant no longer exists. */
  workspaceUidOf(grantId: string): Promise<string | undefined>;
  /** @returns false if it was already revoked */
  revokeGrant(grantId: string, now: Date): Promise<boolean>;
}

/** How long an expired code is kept, so that a second use of it is still detected. */
const codeRetentionMs = 24 * 60 * 60 * 1000;

const termsColumn = sql<string>`jsonb_build_array(applications.name, applications.redirect_url, applications.type,
  (select coalesce(jsonb_agg(jsonb_build_array(dataset_id, action) order by dataset_id, action), '[]')
    from application_datasets where application_id = applications.id))::text`;

/** Returns the terms, and locks the application against changes until the transaction ends. */
const lockTerms = async (trx: Db, applicationId: string): Promise<string | undefined> => {
  const application = trx.selectFrom('applications').where('applications.id', '=', applicationId);
  await application.select('applications.id').forShare().execute();
  // Read after the lock, because a change that held the lock may have changed only the datasets.
  return (await application.select(termsColumn.as('terms')).executeTakeFirst())?.terms;
};

/**
 * Deletes revoked grants, and grants without valid tokens, with everything that belongs to them. Grants of unfinished
 * jobs are kept.
 */
const deleteEndedGrants = async (trx: Db, now: Date): Promise<void> => {
  await sql`delete from application_grants where
    revoked_at is not null or (
      not exists (select from application_codes where grant_id = application_grants.id)
      and not exists (select from application_refresh_tokens where grant_id = application_grants.id and expires_at >= ${now})
      and not exists (select from sessions where grant_id = application_grants.id and expires_at >= ${now})
      and not exists (select from jobs where grant_id = application_grants.id and status <> 'completed'))`.execute(
    trx,
  );
};

/** Selects the grants of tokens. */
const grantsBehindTokens = (db: Db) =>
  liveGrants(db)
    .innerJoin('accounts', 'accounts.id', 'application_grants.account_id')
    .select([
      'application_grants.id as grantId',
      'applications.id as applicationId',
      'applications.client_id as clientId',
      'applications.name',
      'applications.type',
      'accounts.id as accountId',
      'accounts.email',
      'application_grants.workspace_uid as workspaceUid',
    ]);

export const createOAuthRepository = (db: Db): OAuthRepository => ({
  findClient: (clientId) =>
    db
      .selectFrom('applications')
      .innerJoin('workspaces', 'workspaces.unique_id', 'applications.workspace_uid')
      .where('applications.client_id', '=', clientId)
      .select([
        'applications.id',
        'applications.client_id as clientId',
        'applications.secret_hash as secretHash',
        'applications.name',
        'applications.url',
        'applications.redirect_url as redirectUrl',
        'applications.type',
        'applications.workspace_uid as workspaceUid',
        'workspaces.slug as workspaceId',
        'workspaces.name as workspaceName',
        termsColumn.as('terms'),
      ])
      .executeTakeFirst(),
  isUsable: async (actor, applicationId) => {
    const row = await db
      .selectFrom('applications')
      .where('applications.id', '=', applicationId)
      .where('applications.workspace_uid', '=', actor.workspace.uniqueId)
      .where(isApplicationUsableBy(db, actor))
      .select('applications.id')
      .executeTakeFirst();
    return row !== undefined;
  },
  requiredDatasets: (applicationId, workspaceUid) =>
    db
      .selectFrom('application_datasets')
      .innerJoin('datasets', 'datasets.id', 'application_datasets.dataset_id')
      .where('application_datasets.application_id', '=', applicationId)
      .where('datasets.workspace_uid', '=', workspaceUid)
      .select(['datasets.id', 'datasets.name', 'application_datasets.action'])
      .orderBy(sql`datasets.name collate "C"`)
      .orderBy('datasets.id')
      .orderBy('application_datasets.action')
      .execute(),
  saveCode: ({ hash, grantId, applicationId, terms, actor, redirectUrl, challenge, now, expiresAt }) =>
    inTransaction(db, async (trx) => {
      const session = await trx
        .selectFrom('sessions')
        .where('id', '=', actor.sessionId)
        .where('revoked_at', 'is', null)
        .select(['id', 'identity_id'])
        .forShare()
        .executeTakeFirst();
      if (session === undefined || (await lockTerms(trx, applicationId)) !== terms) return false;
      const retainedSince = new Date(now.getTime() - codeRetentionMs);
      await trx.deleteFrom('application_codes').where('expires_at', '<', retainedSince).execute();
      await deleteEndedGrants(trx, now);
      await trx
        .insertInto('application_grants')
        .values({
          id: grantId,
          application_id: applicationId,
          workspace_uid: actor.workspace.uniqueId,
          account_id: actor.accountId,
          identity_id: session.identity_id,
          created_at: now,
          revoked_at: null,
        })
        .execute();
      await trx
        .insertInto('application_codes')
        .values({
          code_hash: hash,
          grant_id: grantId,
          redirect_url: redirectUrl,
          challenge,
          expires_at: expiresAt,
          used_at: null,
        })
        .execute();
      return true;
    }),
  findCode: async (hash) => {
    const row = await grantsBehindTokens(db)
      .innerJoin('application_codes', 'application_codes.grant_id', 'application_grants.id')
      .where('application_codes.code_hash', '=', hash)
      .select([
        'application_codes.redirect_url as redirectUrl',
        'application_codes.challenge',
        'application_codes.expires_at as expiresAt',
        'application_codes.used_at as usedAt',
      ])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { usedAt, ...code } = row;
    return { ...code, isUsed: usedAt !== null };
  },
  useCode: async (hash, now) => {
    const used = await db
      .updateTable('application_codes')
      .set({ used_at: now })
      .where('code_hash', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows === 1n;
  },
  saveRefreshToken: async ({ hash, grantId, now, expiresAt }) => {
    await db.deleteFrom('application_refresh_tokens').where('expires_at', '<', now).execute();
    const { numAffectedRows } = await sql`with kept as (
        select id from application_grants where id = ${grantId} and revoked_at is null for share)
      insert into application_refresh_tokens (token_hash, grant_id, expires_at)
      select ${hash}::text, id, ${expiresAt}::timestamptz from kept`.execute(db);
    return numAffectedRows === 1n;
  },
  findRefreshToken: async (hash) => {
    const row = await grantsBehindTokens(db)
      .innerJoin('application_refresh_tokens', 'application_refresh_tokens.grant_id', 'application_grants.id')
      .where('application_refresh_tokens.token_hash', '=', hash)
      .select([
        'application_refresh_tokens.expires_at as expiresAt',
        'application_refresh_tokens.used_at as usedAt',
      ])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { usedAt, ...token } = row;
    return { ...token, isUsed: usedAt !== null };
  },
  useRefreshToken: async (hash, now) => {
    const used = await db
      .updateTable('application_refresh_tokens')
      .set({ used_at: now })
      .where('token_hash', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows === 1n;
  },
  grantOfSession: (sessionId, clientId) =>
    grantsBehindTokens(db)
      .innerJoin('sessions', 'sessions.grant_id', 'application_grants.id')
      .where('sessions.id', '=', sessionId)
      .where('applications.client_id', '=', clientId)
      .executeTakeFirst(),
  workspaceUidOf: async (grantId) => {
    const grant = await db
      .selectFrom('application_grants')
      .where('id', '=', grantId)
      .select('workspace_uid')
      .executeTakeFirst();
    return grant?.workspace_uid;
  },
  revokeGrant: async (grantId, now) => {
    const ended = await db
      .updateTable('application_grants')
      .set({ revoked_at: now })
      .where('id', '=', grantId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return ended.numUpdatedRows === 1n;
  },
});
