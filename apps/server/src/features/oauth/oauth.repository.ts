import type { DatasetAction } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { inTransaction, type Db } from '../../platform/db/database.ts';
import { isApplicationUsableBy } from '../applications/index.ts';
import { liveGrants } from './live-grants.repository.ts';

/** An application as a client of OAuth. */
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
  /** What its page tells of it, as one text: another one where any of that has changed. */
  terms: string;
}

/** What a person has given to an application once. */
export interface Grant {
  grantId: string;
  applicationId: string;
  clientId: string;
  /** Of the application. */
  name: string;
  accountId: string;
  email: string;
  workspaceUid: string;
  /** As it was when the person allowed it: when it changes, the grant ends. */
  type: 'mls' | 'sls';
}

/** A code or refresh token with what it is good for. */
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
  action: DatasetAction;
}

export interface OAuthRepository {
  findClient(clientId: string): Promise<OAuthClient | undefined>;
  /** Whether the application allows the actor, and they can do with its datasets what it requires. */
  isUsable(actor: Member, applicationId: string): Promise<boolean>;
  /** The datasets that the application is bound to, by name. */
  requiredDatasets(applicationId: string, workspaceUid: string): Promise<RequiredDataset[]>;
  /**
   * Stores that the person allows it, with the code that shows it; not if the session has ended meanwhile, or the
   * application is another than they were told.
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
  /** @returns whether it was not used before */
  useCode(hash: string, now: Date): Promise<boolean>;
  /** @returns whether what the person allowed still holds */
  saveRefreshToken(token: { hash: string; grantId: string; now: Date; expiresAt: Date }): Promise<boolean>;
  findRefreshToken(hash: string): Promise<StoredToken | undefined>;
  useRefreshToken(hash: string, now: Date): Promise<boolean>;
  /** What a session came of, if it is one of that application. */
  grantOfSession(sessionId: string, clientId: string): Promise<Grant | undefined>;
  /** Undefined where it is over and gone. */
  workspaceUidOf(grantId: string): Promise<string | undefined>;
  /** @returns whether it held until now */
  revokeGrant(grantId: string, now: Date): Promise<boolean>;
}

/** How long a code that is over is kept, so that its second use is known for what it is. */
const codeMemoryMs = 24 * 60 * 60 * 1000;

const termsColumn = sql<string>`jsonb_build_array(applications.name, applications.redirect_url, applications.type,
  (select coalesce(jsonb_agg(jsonb_build_array(dataset_id, action) order by dataset_id, action), '[]')
    from application_datasets where application_id = applications.id))::text`;

/** The same, kept as it is until the transaction ends. */
const lockTerms = async (trx: Db, applicationId: string): Promise<string | undefined> => {
  const application = trx.selectFrom('applications').where('applications.id', '=', applicationId);
  await application.select('applications.id').forShare().execute();
  // Looked up after the lock: a change that was waited for may be one of the datasets alone.
  return (await application.select(termsColumn.as('terms')).executeTakeFirst())?.terms;
};

/**
 * Removes permissions that are over, with all that came of them: those that have ended, and those of which no token is left. Of the
 * latter a job may still do its work.
 */
const removeOver = async (trx: Db, now: Date): Promise<void> => {
  await sql`delete from application_grants where
    revoked_at is not null or (
      not exists (select from application_codes where grant_id = application_grants.id)
      and not exists (select from application_refresh_tokens where grant_id = application_grants.id and expires_at >= ${now})
      and not exists (select from sessions where grant_id = application_grants.id and expires_at >= ${now})
      and not exists (select from jobs where grant_id = application_grants.id and status <> 'completed'))`.execute(
    trx,
  );
};

/** What stands behind a token. */
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
      const forgotten = new Date(now.getTime() - codeMemoryMs);
      await trx.deleteFrom('application_codes').where('expires_at', '<', forgotten).execute();
      await removeOver(trx, now);
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
