import type { Credential } from './actor.ts';
import type { SessionProof, SessionRepository } from './session.repository.ts';
import type { AccessClaims, Tokens } from './tokens.ts';
import type { Runtime } from '../runtime.ts';

export interface SignedSession {
  token: string;
  claims: AccessClaims;
}

/** What a session is for. */
export interface NewSession {
  account: { id: string; email: string };
  workspaceUid: string | null;
  createdAt: Date;
  /** When it ends at the latest; a day after its beginning where it is absent. */
  endsAt?: Date | undefined;
  /** By what its person is narrowed; by nothing where it is absent. */
  credential?: Credential;
}

/** Stores a session and signs its token. Undefined where the proof counts no more. */
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
    const narrowed = credential === undefined ? {} : { credential };
    const session = { id, accountId: account.id, workspaceUid, createdAt, expiresAt, ...narrowed };
    return (await sessions.create(session, proof)) ? signed : undefined;
  };
