import type { IssuedInvitation, User, UserCreate, WorkspaceRole } from '@redoubt/contract';
import { conflict, forbidden } from '@redoubt/errors';
import type { Audit, AuditEvent, AuditActor } from '../../platform/audit/index.ts';
import type { Member, RequestOrigin, Person } from '../../platform/auth/actor.ts';
import { requireCall, requireRoleAtMostOwn } from '../../platform/auth/access.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { PasswordHashing, Passwords } from '../../platform/auth/passwords.ts';
import { insertAccount } from '../../platform/auth/account.repository.ts';
import type { SignUp } from '../../platform/config/index.ts';
import { isUniqueViolation, type Db } from '../../platform/db/database.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { InvitationService } from '../invitations/index.ts';
import { createAccountRepository } from './account.repository.ts';
import { createMembershipRepository } from './membership.repository.ts';

export interface UserCreationDeps {
  db: Db;
  passwords: Passwords;
  invitations: Pick<InvitationService, 'issue'>;
  runtime: Runtime;
  mail: Pick<MailQueue, 'add' | 'wake'>;
  /** Who may create an account. */
  signUp: SignUp;
  audit: Pick<Audit, 'change'>;
}

const addressTaken = (email: string) =>
  conflict(
    `email: "${email}" already has an account. Sign in, or ask an admin to invite you to a workspace.`,
  );

const requireOpenSignUp = (input: UserCreate, signUp: SignUp): void => {
  if (signUp !== 'open') {
    throw forbidden(
      signUp === 'invited'
        ? 'On this server, only admins create accounts (setting SIGN_UP). Ask an admin of a workspace to add you.'
        : 'This server accepts no new accounts (setting SIGN_UP). Ask its operator.',
    );
  }
  for (const field of ['workspaceId', 'role'] as const) {
    if (input[field] !== undefined) {
      throw forbidden(
        `${field} needs a credential, got "${input[field]}" without one. Signing up only creates an account. Leave the field out, and create a workspace or get invited to one.`,
      );
    }
  }
};

/** Performs `POST /users`: a visitor signs up, or an admin adds a person to the workspace. */
export const createUserCreation = (deps: UserCreationDeps) => {
  const { db, audit, passwords, invitations, mail, runtime, signUp } = deps;
  const accounts = createAccountRepository(db);

  /**
   * @param passwordChosenIn the workspace in which another person chose the password; null if the person chose it
   * @param join creates the membership in the same transaction
   */
  const createAccount = async (
    hashing: PasswordHashing,
    input: UserCreate,
    passwordChosenIn: string | null,
    authorOf: (id: string, email: string) => AuditActor,
    join: (trx: Db, id: string, now: Date) => Promise<void>,
  ): Promise<string> => {
    const { firstName, lastName } = input;
    const email = input.email.toLowerCase();
    const passwordHash = await hashing.hash(input.password);
    const id = runtime.ids.uuid();
    const now = runtime.clock.now();
    try {
      const created: AuditEvent = {
        type: 'UserManagement',
        description: 'created an account',
        details: { userId: id },
      };
      await audit.change(authorOf(id, email), created, async (trx) => {
        await insertAccount(trx, {
          id,
          email,
          firstName,
          lastName,
          passwordHash,
          passwordChosenIn,
          verified: false,
          now,
        });
        await join(trx, id, now);
        await mail.add(trx, 'verify-email', { accountId: id });
      });
    } catch (error) {
      throw isUniqueViolation(error) ? addressTaken(email) : error;
    }
    mail.wake();
    return id;
  };

  const signUpVisitor = async (
    hashing: PasswordHashing,
    input: UserCreate,
    origin: RequestOrigin,
  ): Promise<User> => {
    const { firstName, lastName } = input;
    const email = input.email.toLowerCase();
    if ((await accounts.findByEmail(email)) !== undefined) throw addressTaken(email);
    const self = (accountId: string, address: string): AuditActor => ({
      accountId,
      email: address,
      workspace: undefined,
      origin,
    });
    const id = await createAccount(hashing, input, null, self, () => Promise.resolve());
    const nowhere = { workspaceId: null, role: null, disabled: null };
    return { id, email, firstName, lastName, ...nowhere, stripeLatestCharge: null };
  };

  const addToWorkspace = async (
    hashing: PasswordHashing,
    actor: Member,
    input: UserCreate,
    role: WorkspaceRole,
  ): Promise<User | IssuedInvitation> => {
    const { firstName, lastName } = input;
    const email = input.email.toLowerCase();
    const known = await accounts.findByEmail(email);
    if (known !== undefined) return invitations.issue(actor, known, role);
    if (signUp === 'closed') {
      throw forbidden(
        `email: "${email}" has no account, and this server accepts no new ones (setting SIGN_UP). Invite people who have one.`,
      );
    }
    const { uniqueId, slug } = actor.workspace;
    const id = await createAccount(
      hashing,
      input,
      uniqueId,
      () => actor,
      (trx, accountId, now) => createMembershipRepository(trx).create(uniqueId, accountId, role, now),
    );
    const there = { workspaceId: slug, role, disabled: false };
    return { id, email, firstName, lastName, ...there, stripeLatestCharge: null };
  };

  return async (
    actor: Person | undefined,
    input: UserCreate,
    origin: RequestOrigin,
  ): Promise<User | IssuedInvitation> => {
    if (actor === undefined) {
      requireOpenSignUp(input, signUp);
      return passwords.attempt(origin.ip, (hashing) => signUpVisitor(hashing, input, origin));
    }
    if (actor.workspace === undefined) {
      throw forbidden(
        'This session is bound to no workspace to add people to. Sign in again with "workspaceId".',
      );
    }
    const member: Member = { ...actor, workspace: actor.workspace };
    const { role = 'member' } = input;
    requireOwnWorkspace(member, input.workspaceId);
    requireCall(member, 'createUser', 'add people');
    requireRoleAtMostOwn(member, role);
    return passwords.attempt(origin.ip, (hashing) => addToWorkspace(hashing, member, input, role));
  };
};
