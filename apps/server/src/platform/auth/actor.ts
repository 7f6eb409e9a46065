import type { WorkspaceRole } from '../db/schema.ts';

/** The workspace that a session is bound to, and the person's role in it at this moment. */
export interface WorkspaceContext {
  /** The key used inside. */
  uniqueId: string;
  /** The id that the API shows. */
  slug: string;
  role: WorkspaceRole;
}

/** Somebody with a valid session, which may be bound to no workspace. */
export interface Person {
  accountId: string;
  email: string;
  sessionId: string;
  workspace: WorkspaceContext | undefined;
}

/** Somebody with a valid session that is bound to a workspace they belong to. */
export interface Member extends Person {
  workspace: WorkspaceContext;
}

export const isAdmin = (actor: Person): boolean => actor.workspace?.role === 'admin';
