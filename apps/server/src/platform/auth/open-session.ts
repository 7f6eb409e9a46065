import type { Credential } from './actor.ts';
import type { SessionProof, SessionRepository } from './session.repository.ts';
import type { AccessClaims, Tokens } from './tokens.ts';
import type { Runtime } from '../runtime.ts';

export interface SignedSession {
  token: string;
  claims: AccessClaims;
}

/** The properties of a session to be opened. */
export interface NewSession {
  account: { id: string; email: string };
  workspaceUid: string | null;
  createdAt: Date;
  /** Latest time at which the session ends; a day after `createdAt` by default. */
  endsAt?: Date | undefined;
  /** The credential whose scope limits the session; by default, the session has all rights of the person. */
  credential?: Credential;
}

/** Stores a session and signs its token. @returns undefined if the proof is no longer valid */
export type OpenSession = (session: NewSession, proof: SessionProof) => Promise<SignedSession | undefined>;

export const createOpenSession =
  ({
    tokens,
    sessions,
    ids,
  }: {
    tokens: Pick<Tokens, 'sign'>;
    sessions: Pick<SessionRepository, 'create'>;
  } & Pick<Runtime, 'ids'>): OpenSession =>
  async ({ account, workspaceUid, createdAt, endsAt, credential }, proof) => {
    const id = ids.uuid();
    const signed = await tokens.sign({ id, accountId: account.id, email: account.email, createdAt, endsAt });
    const expiresAt = new Date(signed.claims.exp * 1000);
    const scoped = credential === undefined ? {} : { credential };
    const session = { id, accountId: account.id, workspaceUid, createdAt, expiresAt, ...scoped };
    return (await sessions.create(session, proof)) ? signed : undefined;
  };
