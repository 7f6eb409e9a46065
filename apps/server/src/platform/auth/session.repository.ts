import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import { createAccessCache } from '../db/access-cache.ts';
import type { Credential } from './actor.ts';
import { credentialFrom, credentialText } from './credential.ts';
import { parsePermissionCodes, selectPermissionCodes } from './permission-codes.repository.ts';
import { createApplyCredentialScope, type AuthenticatedPerson } from './credential-scope.repository.ts';

/** A live session with what the account is at this moment. */
export type ActiveSession = AuthenticatedPerson;

/**
 * What showed that somebody may have a session: the hash of the password that was checked, a session that they
 * had already, an API key, or what they gave to an application.
 */
export type SessionProof =
  | { passwordHash: string }
  /** What is opened in exchange ends with it. */
  | { sessionId: string }
  | { keyId: string }
  | { grantId: string }
  /** Who somebody is at an identity provider; the session ends with the link. */
  | { identityId: string }
  /** The address of the account, as somebody else vouches for it. */
  | { verifiedEmail: string };

export interface SessionRepository {
  /**
   * Stores a session, unless its proof was changed or revoked since it was looked at.
   * @returns whether it was stored
   */
  create(
    session: {
      id: string;
      accountId: string;
      workspaceUid: string | null;
      createdAt: Date;
      expiresAt: Date;
      /** By what its person is narrowed; a session of their own where it is absent. */
      credential?: Credential;
    },
    proof: SessionProof,
  ): Promise<boolean>;
  /** The session, unless it is revoked or expired, its membership has ended or is disabled, or its credential counts no more. */
  findLive(id: string, now: Date): Promise<ActiveSession | undefined>;
  /**
   * Ends a session and those that were opened in exchange for it; with that of an application, all that the person gave to it
   * then. In several statements: a transaction has it happen at once.
   */
  revoke(id: string, now: Date): Promise<void>;
  /** Binds a session that is bound to no workspace; any other stays where it is. */
  bind(id: string, workspaceUid: string): Promise<void>;
  /** Ends the sessions of an account in a workspace, and those of applications, for good, so that a new membership does not revive them. */
  revokeInWorkspace(accountId: string, workspaceUid: string, now: Date): Promise<void>;
  /** Ends all sessions of an account but one, and those of all applications. */
  revokeOthers(accountId: string, keptId: string, now: Date): Promise<void>;
}

/** The session with its account and membership, whether or not it has expired. */
const findUnrevoked = async (
  db: Db,
  id: string,
): Promise<{ session: ActiveSession; expiresAt: Date } | undefined> => {
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
  const { accountId, email, expiresAt, credential, uniqueId, slug, role, codes, ownProviderId } = row;
  const person = {
    accountId,
    email,
    credential: credentialFrom(credential),
    narrowing: undefined,
    isConfined: ownProviderId !== null,
  };
  if (uniqueId === null) return { session: { ...person, workspace: undefined }, expiresAt };
  if (slug === null || role === null) return undefined;
  const workspace = { uniqueId, slug, role, codes: parsePermissionCodes(codes) };
  return { session: { ...person, workspace }, expiresAt };
};

const rememberedSessions = 10_000;

/** The lock waits for a change that is under way, and then goes by what it has left. */
const provenBy = (proof: SessionProof, accountId: string): RawBuilder<unknown> => {
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

/** The link to an identity provider that a session rests on: also one that was opened in exchange for another. */
const identityOf = (proof: SessionProof): RawBuilder<unknown> => {
  if ('identityId' in proof) return sql`${proof.identityId}::text`;
  if ('sessionId' in proof) return sql`(select identity_id from sessions where id = ${proof.sessionId})`;
  return sql`null::text`;
};

/** Ends what was given to applications: which of it is to be added. */
const ungranted = (db: Db, now: Date) =>
  db.updateTable('application_grants').set({ revoked_at: now }).where('revoked_at', 'is', null);

export const createSessionRepository = (
  db: Db,
  remembered = createAccessCache(db, rememberedSessions),
  narrow = createApplyCredentialScope(db),
): SessionRepository => ({
  create: async ({ id, accountId, workspaceUid, createdAt, expiresAt, credential }, proof) => {
    const narrowed = credential === undefined ? null : credentialText(credential);
    const { numAffectedRows } = await sql`with proven as (${provenBy(proof, accountId)})
      insert into sessions (id, account_id, workspace_uid, created_at, expires_at, credential, grant_id, identity_id, derived_from)
      select ${id}::text, ${accountId}::text, ${workspaceUid}::text, ${createdAt}::timestamptz, ${expiresAt}::timestamptz,
        ${narrowed}::text, ${'grantId' in proof ? proof.grantId : null}::text,
        ${identityOf(proof)}, ${'sessionId' in proof ? proof.sessionId : null}::text
      from proven`.execute(db);
    return numAffectedRows === 1n;
  },
  findLive: async (id, now) => {
    const found = await remembered(id, () => findUnrevoked(db, id));
    return found !== undefined && found.expiresAt > now ? narrow(found.session, now) : undefined;
  },
  revoke: async (id, now) => {
    const ended: string[] = [];
    for (let ids = [id]; ids.length > 0;) {
      await db
        .updateTable('sessions')
        .set({ revoked_at: now })
        .where('id', 'in', ids)
        .where('revoked_at', 'is', null)
        .execute();
      ended.push(...ids);
      // Only now: an exchange that was under way has been waited for, and the next one finds that it has ended.
      const derived = await db.selectFrom('sessions').where('derived_from', 'in', ids).select('id').execute();
      ids = derived.map((session) => session.id);
    }
    await ungranted(db, now)
      .where('id', 'in', (query) =>
        query
          .selectFrom('sessions')
          .where('id', 'in', ended)
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
    await ungranted(db, now)
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
    await ungranted(db, now).where('account_id', '=', accountId).execute();
  },
});
