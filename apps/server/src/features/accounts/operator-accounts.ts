import { badField, conflict, forbidden, RedoubtError } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import { ownSessionCredential, type Person } from '../../platform/auth/actor.ts';
import { isUniqueViolation, type Db } from '../../platform/db/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccountLinks } from './account-links.ts';
import { linkLifetimes } from './link-rules.ts';
import { createOperatorRepository } from './operator.repository.ts';

/** What the operator of the machine does to accounts, who needs no account for it. */
export interface OperatorAccounts {
  /**
   * Makes an account without a password, and a workspace, as far as they are missing; and makes the account an admin there.
   * @param slug the only workspace where absent, or "main" where there is none
   * @returns the workspace, and the link with which to set a password, where the account has none
   */
  createAdmin(
    email: string,
    slug: string | undefined,
  ): Promise<{ workspace: string; link: string | undefined }>;
  /**
   * Gives a link that sets a new password. Until it is used, the account goes on as it is.
   * @throws 404 for an address that nobody has
   */
  reset(email: string): Promise<string>;
}

export interface OperatorAccountsDeps {
  audit: Pick<Audit, 'tell'>;
  db: Db;
  links: AccountLinks;
  publicUrl: () => string;
  runtime: Runtime;
  /** Makes a workspace in the name of somebody, who becomes its admin. */
  createWorkspace(actor: Person, input: { name: string; id: string }): Promise<unknown>;
}

const longest = 254;

const readEmail = (email: string): string => {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > longest)
    throw badField('email', `"${email}" is no email address.`);
  return email.toLowerCase();
};

export const createOperatorAccounts = (deps: OperatorAccountsDeps): OperatorAccounts => {
  const { audit, db, links, publicUrl, runtime } = deps;
  const repository = createOperatorRepository(db);

  const linkFor = async (accountId: string): Promise<string> => {
    const expiresAt = new Date(runtime.clock.now().getTime() + linkLifetimes.reset);
    const link = { accountId, purpose: 'reset-password', email: '' } as const;
    return `${publicUrl()}/reset-password/${await links.issue(db, link, expiresAt)}`;
  };

  /** The operator has no account: whose account it is stands in the details. */
  const tell = (uniqueId: string | undefined, description: string, userId: string): Promise<void> =>
    audit.tell(
      {
        accountId: undefined,
        email: '',
        workspace: uniqueId === undefined ? undefined : { uniqueId },
      },
      { type: 'UserManagement', description, details: { userId, by: 'operator' } },
    );

  const makeAccount = async (email: string): Promise<string> => {
    const id = runtime.ids.uuid();
    try {
      await repository.createAccount({ id, email, now: runtime.clock.now() });
    } catch (error) {
      throw isUniqueViolation(error) ? conflict(`"${email}" was taken just now: try again.`) : error;
    }
    return id;
  };

  const chooseWorkspace = async (): Promise<string> => {
    const slugs = await repository.someSlugs();
    if (slugs.length > 1) throw badField('workspace', 'there are several: name the one to make an admin of.');
    return slugs[0] ?? 'main';
  };

  return {
    createAdmin: async (sent, wanted) => {
      const email = readEmail(sent);
      const slug = wanted ?? (await chooseWorkspace());
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 63) {
        throw badField('workspace', `"${slug}" is no id: take lower-case letters, digits and hyphens.`);
      }
      const known = await repository.findAccount(email);
      const chosenIn = known?.passwordChosenIn ?? null;
      // Whoever chose it could sign in as the new admin.
      if (chosenIn !== null && chosenIn !== (await repository.uniqueIdOf(slug))) {
        throw forbidden(
          `The password of "${email}" was chosen by somebody of another workspace, who could sign in with it: make a link to a new one first (accounts reset ${email}), have it used, then try again.`,
        );
      }
      const accountId = known?.id ?? (await makeAccount(email));
      if (!(await repository.makeAdmin(slug, accountId, runtime.clock.now()))) {
        const actor = { accountId, email, sessionId: '', workspace: undefined, ...ownSessionCredential };
        await deps.createWorkspace(actor, { name: slug, id: slug });
      }
      const uniqueId = await repository.uniqueIdOf(slug);
      await tell(uniqueId, 'made somebody an admin from the command line', accountId);
      const link = known?.hasPassword === true ? undefined : await linkFor(accountId);
      return { workspace: slug, link };
    },

    reset: async (sent) => {
      const email = readEmail(sent);
      const account = await repository.findAccount(email);
      if (account === undefined) {
        throw new RedoubtError('NotFoundError', `No account has the address "${email}".`);
      }
      await tell(undefined, 'made a link that sets a new password from the command line', account.id);
      return linkFor(account.id);
    },
  };
};
