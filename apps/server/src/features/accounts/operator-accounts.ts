import { conflict, describeValue, forbidden, invalidField, RedoubtError } from '@redoubt/errors';
import type { Audit } from '../../platform/audit/index.ts';
import { ownSessionCredential, type Person } from '../../platform/auth/actor.ts';
import { isUniqueViolation, type Db } from '../../platform/db/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccountLinks } from './account-links.ts';
import { linkLifetimes } from './link-rules.ts';
import { createOperatorRepository } from './operator.repository.ts';

/** Commands of the server's operator, who needs no account. */
export interface OperatorAccounts {
  /** Whether there is an account. */
  hasAny(): Promise<boolean>;
  /**
   * Makes a person an admin of a workspace. Creates the account, without a password, and the workspace if they are missing.
   * @param slug the id of the workspace. If absent, the only existing workspace, or "main" if there is none
   * @returns the workspace, and a link to set a password if the account has none
   */
  createAdmin(
    email: string,
    slug: string | undefined,
  ): Promise<{ workspace: string; link: string | undefined }>;
  /**
   * Returns a link to set a new password. The account does not change until the link is used.
   * @throws RedoubtError 404 for an unknown address
   */
  reset(email: string): Promise<string>;
}

export interface OperatorAccountsDeps {
  audit: Pick<Audit, 'log'>;
  db: Db;
  links: AccountLinks;
  publicUrl: () => string;
  runtime: Runtime;
  /** Creates a workspace on behalf of a person, who becomes its admin. */
  createWorkspace(actor: Person, input: { name: string; id: string }): Promise<unknown>;
}

const maxEmailLength = 254;

const parseEmail = (email: string): string => {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > maxEmailLength)
    throw invalidField({
      field: 'email',
      expected: 'an email address',
      got: describeValue(email),
      advice: 'Send one such as name@example.org.',
    });
  return email.toLowerCase();
};

export const createOperatorAccounts = (deps: OperatorAccountsDeps): OperatorAccounts => {
  const { audit, db, links, publicUrl, runtime } = deps;
  const repository = createOperatorRepository(db);

  const issueLink = async (accountId: string): Promise<string> => {
    const expiresAt = new Date(runtime.clock.now().getTime() + linkLifetimes.reset);
    const link = { accountId, purpose: 'reset-password', email: '' } as const;
    return `${publicUrl()}/reset-password#${await links.issue(db, link, expiresAt)}`;
  };

  /** Audit events have no actor, because the operator has no account; the details name the changed account. */
  const auditChange = (uniqueId: string | undefined, description: string, userId: string): Promise<void> =>
    audit.log(
      {
        accountId: undefined,
        email: '',
        workspace: uniqueId === undefined ? undefined : { uniqueId },
      },
      { type: 'UserManagement', description, details: { userId, by: 'operator' } },
    );

  const createAccount = async (email: string): Promise<string> => {
    const id = runtime.ids.uuid();
    try {
      await repository.createAccount({ id, email, now: runtime.clock.now() });
    } catch (error) {
      throw isUniqueViolation(error)
        ? conflict(`The address "${email}" was just taken by another request. Try again.`)
        : error;
    }
    return id;
  };

  const chooseWorkspace = async (): Promise<string> => {
    const slugs = await repository.someSlugs();
    if (slugs.length > 1)
      throw invalidField({
        field: 'workspace',
        expected: 'present, because there are several workspaces',
        got: 'nothing',
        advice: 'Name the one that gets the admin.',
      });
    return slugs[0] ?? 'main';
  };

  return {
    hasAny: repository.hasAccount,

    createAdmin: async (sent, wanted) => {
      const email = parseEmail(sent);
      const slug = wanted ?? (await chooseWorkspace());
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 63) {
        throw invalidField({
          field: 'workspace',
          expected: 'a workspace id',
          got: describeValue(slug),
          advice: 'Use lower-case letters, digits and single hyphens, at most 63 characters.',
        });
      }
      const known = await repository.findAccount(email);
      const chosenIn = known?.passwordChosenIn ?? null;
      // The person who chose the password could sign in as the new admin.
      if (chosenIn !== null && chosenIn !== (await repository.uniqueIdOf(slug))) {
        throw forbidden(
          `The password of "${email}" was chosen by a person of another workspace, who could sign in with it. Create a link to set a new one (accounts reset ${email}), have it used, then try again.`,
        );
      }
      const accountId = known?.id ?? (await createAccount(email));
      if (!(await repository.makeAdmin(slug, accountId, runtime.clock.now()))) {
        const actor = { accountId, email, sessionId: '', workspace: undefined, ...ownSessionCredential };
        await deps.createWorkspace(actor, { name: slug, id: slug });
      }
      const uniqueId = await repository.uniqueIdOf(slug);
      await auditChange(uniqueId, 'made a user an admin from the command line', accountId);
      const link = known?.hasPassword === true ? undefined : await issueLink(accountId);
      return { workspace: slug, link };
    },

    reset: async (sent) => {
      const email = parseEmail(sent);
      const account = await repository.findAccount(email);
      if (account === undefined) {
        throw new RedoubtError('NotFoundError', `No account has the address "${email}". Check the address.`);
      }
      await auditChange(undefined, 'created a link to set a new password from the command line', account.id);
      return issueLink(account.id);
    },
  };
};
