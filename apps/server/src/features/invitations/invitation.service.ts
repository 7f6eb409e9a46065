import type {
  Invitation,
  InvitationCreate,
  IssuedInvitation,
  ListQuery,
  OpenInvitation,
  WorkspaceRole,
} from '@redoubt/contract';
import { conflict, forbidden, notFound } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import type { Member, Person } from '../../platform/auth/actor.ts';
import { requireCall, requireRoleAtMostOwn } from '../../platform/auth/access.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import type { SignUp } from '../../platform/config/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { Subscriptions } from '../../platform/subscriptions/index.ts';
import { invitationLink, registerInvitationMail } from './invitation-mail.ts';
import { eventOf, hashOf, invalidTokenError } from './invitation-rules.ts';
import { createInvitationRepository } from './invitation.repository.ts';
import { createJoin, type Join } from './join.ts';

export interface InvitationService {
  /** Invites the owner of an account to the actor's workspace. Replaces an open invitation. */
  issue(
    actor: Member,
    account: { id: string; email: string },
    role: WorkspaceRole,
  ): Promise<IssuedInvitation>;
  /** Invites an address, whether or not it has an account. */
  create(actor: Member, input: InvitationCreate): Promise<IssuedInvitation>;
  /** Returns what a person sees of an open invitation before they accept it. */
  look(token: string): Promise<OpenInvitation>;
  /** Accepts an invitation by creating the account of its address. */
  join: Join;
  list(actor: Member, list: ListQuery): Promise<Page<Invitation>>;
  /** Makes the actor a member. Binds their session to the workspace if it is bound to none. */
  accept(actor: Person, token: string): Promise<Invitation>;
  remove(actor: Member, id: string): Promise<Invitation>;
}

const lifetimeMilliseconds = 7 * 24 * 60 * 60 * 1000;
const tokenBytes = 32;

export const createInvitationService = (deps: {
  db: Db;
  mail: MailQueue;
  publicUrl: () => string;
  runtime: Runtime;
  audit: Pick<Audit, 'change' | 'note'>;
  subscriptions: Pick<Subscriptions, 'requireOpenIn'>;
  passwords: Passwords;
  /** Who may create an account. */
  signUp: SignUp;
}): InvitationService => {
  const { db, audit, mail, publicUrl, runtime } = deps;
  const repository = createInvitationRepository(db);
  const makeToken = (): { token: string; hash: string } => {
    const token = runtime.random.bytes(tokenBytes).toString('base64url');
    return { token, hash: hashOf(token) };
  };
  registerInvitationMail({ mail, repository, publicUrl, makeToken });

  const issueTo = async (
    actor: Member,
    { id: accountId, email }: { id: string | null; email: string },
    role: WorkspaceRole,
  ): Promise<IssuedInvitation> => {
    requireRoleAtMostOwn(actor, role);
    const { uniqueId, slug } = actor.workspace;
    const id = runtime.ids.uuid();
    const { token, hash } = makeToken();
    const createdAt = runtime.clock.now();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMilliseconds);
    await audit.change(actor, eventOf('invited a person', { id, role }), async (trx) => {
      const invitations = createInvitationRepository(trx);
      if (await invitations.isMember(uniqueId, email)) {
        throw conflict(
          `email: "${email}" is already a member of workspace "${slug}". There is nothing to do.`,
        );
      }
      for (const replaced of await invitations.removeOpen(uniqueId, email)) {
        if (replaced.expiresAt > createdAt) requireRoleAtMostOwn(actor, replaced.role);
      }
      const createdBy = actor.accountId;
      const invitee = { id, workspaceUid: uniqueId, accountId, email, role };
      await invitations.create({ ...invitee, tokenHash: hash, createdBy, createdAt, expiresAt });
      await mail.add(trx, 'invitation', { id });
    });
    mail.wake();
    return {
      id,
      email,
      workspaceId: slug,
      role,
      createdBy: actor.accountId,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      acceptedAt: null,
      // If the server sends mail, only the invited person gets the token.
      ...(mail.sends ? { token: null, link: null } : { token, link: invitationLink(publicUrl(), token) }),
    };
  };

  return {
    issue: (actor, account, role) => {
      requireCall(actor, 'createUser', 'invite people');
      return issueTo(actor, account, role);
    },

    create: async (actor, { email, role = 'member' }) => {
      requireCall(actor, 'createInvitation', 'invite people');
      const address = email.toLowerCase();
      const known = await repository.findAccount(address);
      if (known === undefined && deps.signUp === 'closed') {
        throw forbidden(
          `email: "${address}" has no account, and this server accepts no new ones (setting SIGN_UP). Invite people who have one.`,
        );
      }
      return issueTo(actor, { id: known ?? null, email: address }, role);
    },

    look: async (token) => {
      const open = await repository.findOpen(hashOf(token), runtime.clock.now());
      if (open === undefined) throw invalidTokenError();
      const { email, role, workspaceName, invitedBy, expiresAt, hasAccount } = open;
      return { email, role, workspaceName, invitedBy, expiresAt: expiresAt.toISOString(), hasAccount };
    },

    join: createJoin(deps),

    list: (actor, list) => {
      requireCall(actor, 'listInvitations', 'see its invitations');
      return repository.list(actor.workspace.uniqueId, list);
    },

    accept: (actor, token) =>
      db.transaction().execute(async (trx) => {
        const invitations = createInvitationRepository(trx);
        const now = runtime.clock.now();
        const open = await invitations.lockOpen(hashOf(token), actor.accountId, now);
        if (open === undefined) throw invalidTokenError();
        const { workspaceUid, passwordChosenIn, ...invitation } = open;
        // The person who chose the password could sign in to this workspace too.
        if (passwordChosenIn !== null && passwordChosenIn !== workspaceUid) {
          throw forbidden(
            'Your password was chosen by a person of another workspace, who could sign in as you. Change it first (PATCH /users/{id} with "currentPassword" and "password"), then accept.',
          );
        }
        await deps.subscriptions.requireOpenIn(trx, workspaceUid);
        if (!(await invitations.join(workspaceUid, actor.accountId, invitation.role, now))) {
          throw conflict(`You are already a member of workspace "${invitation.workspaceId}". Sign in there.`);
        }
        await invitations.markAccepted(invitation.id, actor.accountId, now);
        const joined = eventOf('accepted an invitation', invitation);
        await audit.note(trx, { ...actor, workspace: { uniqueId: workspaceUid } }, joined);
        await createSessionRepository(trx).bind(actor.sessionId, workspaceUid);
        return { ...invitation, acceptedAt: now.toISOString() };
      }),

    remove: async (actor, id) => {
      requireCall(actor, 'deleteInvitation', 'withdraw invitations');
      const invitation = await repository.find(actor.workspace.uniqueId, id);
      if (invitation === undefined) throw notFound('invitation', id);
      requireRoleAtMostOwn(actor, invitation.role);
      await audit.change(actor, eventOf('withdrew an invitation', invitation), (trx) =>
        createInvitationRepository(trx).remove(actor.workspace.uniqueId, id),
      );
      return invitation;
    },
  };
};
