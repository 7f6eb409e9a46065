import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import { createAccessCache } from '../db/access-cache.ts';
import type { Credential } from './actor.ts';
import { credentialFrom, credentialText } from './credential.ts';
import { parsePermissionCodes, selectPermissionCodes } from './permission-codes.repository.ts';
import { createApplyCredentialScope, type AuthenticatedPerson } from './credential-scope.repository.ts';

/** A valid session with the current rights of its account. */
export type ActiveSession = AuthenticatedPerson;

/** How a request proves its session: by its token, or by the secret in a browser's cookie. */
export type RequestProof = 'token' | { cookieHash: string };

/**
 * What entitles a person to a session: the hash of the password that was checked, a session that they have already, an
 * API key, or their grant to an application.
 */
export type SessionProof =
  | { passwordHash: string }
  /** The new session ends when this one does. */
  | { sessionId: string }
  | { keyId: string }
  | { grantId: string }
  /** The link of the account to an identity provider; the session ends when the link is removed. */
  | { identityId: string }
  /** The email address of the account, verified by a trusted third party. */
  | { verifiedEmail: string };

export interface SessionRepository {
  /**
   * Stores a session, unless its proof was changed or revoked since it was checked.
   * @returns whether the session was stored
   */
  create(
    session: {
      id: string;
      accountId: string;
      workspaceUid: string | null;
      createdAt: Date;
      expiresAt: Date;
      /** The credential whose scope limits the session; by default, the session has all rights of the person. */
      credential?: Credential;
    },
    proof: SessionProof,
  ): Promise<boolean>;
  /**
   * Finds a session, unless it is revoked or expired, its membership has ended or is disabled, or its credential is no
   * longer valid.
   * @param proof how the request proves the session; absent if the caller has checked the proof before
   */
  findLive(id: string, now: Date, proof?: RequestProof): Promise<ActiveSession | undefined>;
  /** From now on only the secret with this hash proves the session; its token is no longer valid. */
  requireCookie(id: string, cookieHash: string): Promise<void>;
  /**
   * Moves a session to another workspace of its person.
   * @returns false, without a change, if the membership has ended or is disabled, or if the session is revoked
   */
  move(id: string, workspaceUid: string): Promise<boolean>;
  /**
   * Revokes a session and all sessions derived from it; for the session of an application, also the person's grant
   * behind it. Runs several statements: pass a transaction to make them atomic.
   */
  revoke(id: string, now: Date): Promise<void>;
  /** Binds a session to a workspace, unless it is bound already. */
  bind(id: string, workspaceUid: string): Promise<void>;
  /**
   * Revokes an account's sessions and application grants in a workspace, so that a new membership does not revive them.
   */
  revokeInWorkspace(accountId: string, workspaceUid: string, now: Date): Promise<void>;
  /** Revokes all sessions of an account but one, and its grants to all applications. */
  revokeOthers(accountId: string, keptId: string, now: Date): Promise<void>;
}

/** Finds an unrevoked session with its account and membership; it may have expired. */
const findUnrevoked = async (
  db: Db,
  id: string,
): Promise<{ session: ActiveSession; expiresAt: Date; cookieHash: string | null } | undefined> => {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .leftJoin('workspaces', 'workspaces.unique_id', 'sessions.workspace_uid')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.workspace_uid', '=', 'sessions.workspace_uid')
        .onRef('memberships.account_id', '=', 'sessions.account_id')
        .on('memberships.disabled', '=', false),
    )
    .leftJoin('application_grants', 'application_grants.id', 'sessions.grant_id')
    .leftJoin('account_identities', 'account_identities.id', 'sessions.identity_id')
    .select([
      'accounts.id as accountId',
      'accounts.email',
      'sessions.expires_at as expiresAt',
      'sessions.credential',
      'sessions.cookie_hash as cookieHash',
      'sessions.workspace_uid as uniqueId',
      'workspaces.slug',
      'memberships.role',
      'account_identities.provider_id as ownProviderId',
      selectPermissionCodes('sessions.workspace_uid', 'sessions.account_id').as('codes'),
    ])
    .where('sessions.id', '=', id)
    .where('sessions.revoked_at', 'is', null)
    .where('application_grants.revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { accountId, email, expiresAt, cookieHash, credential, uniqueId, slug, role, codes, ownProviderId } =
    row;
  const person = {
    accountId,
    email,
    credential: credentialFrom(credential),
    scope: undefined,
    isConfined: ownProviderId !== null,
  };
  if (uniqueId === null) return { session: { ...person, workspace: undefined }, expiresAt, cookieHash };
  if (slug === null || role === null) return undefined;
  const workspace = { uniqueId, slug, role, codes: parsePermissionCodes(codes) };
  return { session: { ...person, workspace }, expiresAt, cookieHash };
};

const isProvenBy = (cookieHash: string | null, proof: RequestProof | undefined): boolean => {
  if (proof === undefined) return true;
  return proof === 'token' ? cookieHash === null : cookieHash === proof.cookieHash;
};

const maxCachedSessions = 10_000;

/**
 * Selects a row if the proof is still valid. The lock waits for concurrent changes of the proof, so that their outcome
 * counts.
 */
const selectProof = (proof: SessionProof, accountId: string): RawBuilder<unknown> => {
  if ('passwordHash' in proof) {
    return sql`select id from accounts where id = ${accountId} and password_hash = ${proof.passwordHash} for share`;
  }
  if ('sessionId' in proof) {
    return sql`select id from sessions where id = ${proof.sessionId} and revoked_at is null for share`;
  }
  if ('grantId' in proof) {
    return sql`select id from application_grants where id = ${proof.grantId} and revoked_at is null for share`;
  }
  if ('identityId' in proof) {
    return sql`select id from account_identities where id = ${proof.identityId} and account_id = ${accountId} for share`;
  }
  if ('verifiedEmail' in proof) {
    return sql`select id from accounts where id = ${accountId} and email = ${proof.verifiedEmail} and verified for share`;
  }
  return sql`select id from api_keys where id = ${proof.keyId} and not revoked and deleted_at is null for share`;
};

/** The identity provider link that the session depends on; a derived session inherits it. */
const identityOf = (proof: SessionProof): RawBuilder<unknown> => {
  if ('identityId' in proof) return sql`${proof.identityId}::text`;
  if ('sessionId' in proof) return sql`(select identity_id from sessions where id = ${proof.sessionId})`;
  return sql`null::text`;
};

/** An update that revokes application grants; the caller adds which ones. */
const revokeGrants = (db: Db, now: Date) =>
  db.updateTable('application_grants').set({ revoked_at: now }).where('revoked_at', 'is', null);

export const createSessionRepository = (
  db: Db,
  cached = createAccessCache(db, maxCachedSessions),
  applyScope = createApplyCredentialScope(db),
): SessionRepository => ({
  create: async ({ id, accountId, workspaceUid, createdAt, expiresAt, credential }, proof) => {
    const storedCredential = credential === undefined ? null : credentialText(credential);
    const { numAffectedRows } = await sql`with proven as (${selectProof(proof, accountId)})
      insert into sessions (id, account_id, workspace_uid, created_at, expires_at, credential, grant_id, identity_id, derived_from)
      select ${id}::text, ${accountId}::text, ${workspaceUid}::text, ${createdAt}::timestamptz, ${expiresAt}::timestamptz,
        ${storedCredential}::text, ${'grantId' in proof ? proof.grantId : null}::text,
        ${identityOf(proof)}, ${'sessionId' in proof ? proof.sessionId : null}::text
      from proven`.execute(db);
    return numAffectedRows === 1n;
  },
  findLive: async (id, now, proof) => {
    const found = await cached(id, () => findUnrevoked(db, id));
    if (found === undefined || found.expiresAt <= now || !isProvenBy(found.cookieHash, proof))
      return undefined;
    return applyScope(found.session, now);
  },
  requireCookie: async (id, cookieHash) => {
    await db.updateTable('sessions').set({ cookie_hash: cookieHash }).where('id', '=', id).execute();
  },
  move: async (id, workspaceUid) => {
    const { numUpdatedRows } = await db
      .updateTable('sessions')
      .set({ workspace_uid: workspaceUid })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where((row) =>
        row.exists(
          row
            .selectFrom('memberships')
            .select('memberships.role')
            .where('memberships.workspace_uid', '=', workspaceUid)
            .whereRef('memberships.account_id', '=', 'sessions.account_id')
            .where('memberships.disabled', '=', false),
        ),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  revoke: async (id, now) => {
    const revoked: string[] = [];
    for (let ids = [id]; ids.length > 0;) {
      await db
        .updateTable('sessions')
        .set({ revoked_at: now })
        .where('id', 'in', ids)
        .where('revoked_at', 'is', null)
        .execute();
      revoked.push(...ids);
      // Read the derived sessions only now: the update has waited for transactions that were deriving sessions from
      // these, and later transactions find these sessions revoked.
      const derived = await db.selectFrom('sessions').where('derived_from', 'in', ids).select('id').execute();
      ids = derived.map((session) => session.id);
    }
    await revokeGrants(db, now)
      .where('id', 'in', (query) =>
        query
          .selectFrom('sessions')
          .where('id', 'in', revoked)
          .where('grant_id', 'is not', null)
          .select('grant_id')
          .$castTo<{ grant_id: string }>(),
      )
      .execute();
  },
  bind: async (id, workspaceUid) => {
    await db
      .updateTable('sessions')
      .set({ workspace_uid: workspaceUid })
      .where('id', '=', id)
      .where('workspace_uid', 'is', null)
      .execute();
  },
  revokeInWorkspace: async (accountId, workspaceUid, now) => {
    await db
      .updateTable('sessions')
      .set({ revoked_at: now })
      .where('account_id', '=', accountId)
      .where('workspace_uid', '=', workspaceUid)
      .where('revoked_at', 'is', null)
      .execute();
    await revokeGrants(db, now)
      .where('account_id', '=', accountId)
      .where('workspace_uid', '=', workspaceUid)
      .execute();
  },
  revokeOthers: async (accountId, keptId, now) => {
    await db
      .updateTable('sessions')
      .set({ revoked_at: now })
      .where('account_id', '=', accountId)
      .where('id', '<>', keptId)
      .where('revoked_at', 'is', null)
      .execute();
    await revokeGrants(db, now).where('account_id', '=', accountId).execute();
  },
});
