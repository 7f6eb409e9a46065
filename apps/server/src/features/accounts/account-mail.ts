import { renderMail, type Mail, type MailKind, type MailQueue } from '../../platform/mail/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { LinkPurpose } from '../../platform/db/tables/accounts.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAccountLinkRepository } from './account-link.repository.ts';
import type { AccountLinks } from './account-links.ts';
import { createAccountStateRepository, type AccountState } from './account-state.repository.ts';
import { createEmailChangeRepository } from './email-change.repository.ts';
import { linkLifetimes, minLinkIntervalMilliseconds } from './link-rules.ts';

export interface AccountMailDeps {
  db: Db;
  links: AccountLinks;
  mail: Pick<MailQueue, 'compose'>;
  publicUrl: () => string;
  runtime: Pick<Runtime, 'clock'>;
}

const greeting = 'Hello {firstName},';
const ignore =
  'If you did not ask for this, you can ignore this mail: nothing changes unless the link is used.';

/** Registers the mail templates about accounts. A link is created when its mail is rendered, and is stored nowhere else. */
export const registerAccountMail = ({
  db,
  links,
  mail,
  publicUrl,
  runtime: { clock },
}: AccountMailDeps): void => {
  const accounts = createAccountStateRepository(db);
  const accountOf = ({ accountId, email }: Record<string, string>): Promise<AccountState | undefined> =>
    accountId === undefined ? accounts.findByEmail(email ?? '') : accounts.find(accountId);

  /** Whether such a link was sent less than a minute ago. Retries are allowed, because the first attempt made that link itself. */
  const isTooSoon = (accountId: string, purpose: LinkPurpose, attempt: number): Promise<boolean> | boolean =>
    attempt === 1 &&
    createAccountLinkRepository(db).hasSince(
      accountId,
      purpose,
      new Date(clock.now().getTime() - minLinkIntervalMilliseconds),
    );

  const pageLink = async (
    page: string,
    account: AccountState,
    purpose: LinkPurpose,
    email: string,
    expiresAt: Date,
  ): Promise<string> =>
    `${publicUrl()}/${page}#${await links.issue(db, { accountId: account.id, purpose, email }, expiresAt)}`;

  const within = (milliseconds: number): Date => new Date(clock.now().getTime() + milliseconds);

  const compose = (
    kind: MailKind,
    render: (about: Record<string, string>, attempt: number) => Promise<Mail | undefined>,
  ): void =>
    mail.compose(kind, (about, attempt) => render(JSON.parse(about) as Record<string, string>, attempt));

  compose('verify-email', async (about, attempt) => {
    const account = await accountOf(about);
    if (account === undefined || account.verified) return undefined;
    if (await isTooSoon(account.id, 'verify-email', attempt)) return undefined;
    const { email, firstName } = account;
    const expiresAt = within(linkLifetimes.verification);
    const link = await pageLink('verify-email', account, 'verify-email', email, expiresAt);
    return {
      to: email,
      subject: 'Confirm your email address',
      text: renderMail(
        [
          greeting,
          'A Redoubt account was created with this email address. Confirm within 24 hours that the address is yours:',
          link,
          'If you did not create an account, you can ignore this mail.',
        ],
        { firstName },
      ),
    };
  });

  compose('reset-password', async (about, attempt) => {
    const account = await accountOf(about);
    // An account without a password signs in through a provider, and a password would bypass that provider.
    if (account === undefined || !account.hasPassword) return undefined;
    if (await isTooSoon(account.id, 'reset-password', attempt)) return undefined;
    const { email, firstName } = account;
    const link = await pageLink(
      'reset-password',
      account,
      'reset-password',
      email,
      within(linkLifetimes.reset),
    );
    return {
      to: email,
      subject: 'Set a new password',
      text: renderMail(
        [
          greeting,
          'A new password was requested for your Redoubt account. Set it within one hour, which also ends all your sessions:',
          link,
          ignore,
        ],
        { firstName },
      ),
    };
  });

  compose('password-changed', async (about) => {
    const account = await accountOf(about);
    if (account === undefined) return undefined;
    const { email, firstName } = account;
    return {
      to: email,
      subject: 'Your password was changed',
      text: renderMail(
        [
          greeting,
          'The password of your Redoubt account was just changed.',
          'If this was not you, request a new password now and tell an administrator.',
        ],
        { firstName },
      ),
    };
  });

  /** Returns undefined if the account is gone, or if the change was withdrawn, replaced or has expired. */
  const findChange = async ({ accountId = '', newEmail = '' }: Record<string, string>) => {
    const account = await accounts.find(accountId);
    const change = await createEmailChangeRepository(db).find(accountId);
    if (account === undefined || change?.newEmail !== newEmail || change.expiresAt <= clock.now())
      return undefined;
    return { account, change, names: { firstName: account.firstName, email: account.email, newEmail } };
  };

  compose('leave-email', async (about) => {
    const found = await findChange(about);
    if (found === undefined || found.change.oldConfirmed) return undefined;
    const { account, change, names } = found;
    const link = await pageLink('change-email', account, 'leave-email', account.email, change.expiresAt);
    return {
      to: account.email,
      subject: 'Confirm that your email address changes',
      text: renderMail(
        [
          greeting,
          'A change of the email address of your Redoubt account to {newEmail} was requested. Confirm it within 24 hours with this link, and with the link that was sent to the new address:',
          link,
          'If you did not ask for this, another person is using your account: do not follow the link, and change your password.',
        ],
        names,
      ),
    };
  });

  compose('take-email', async (about) => {
    const found = await findChange(about);
    if (found === undefined || found.change.newConfirmed) return undefined;
    const { account, change, names } = found;
    const link = await pageLink('change-email', account, 'take-email', change.newEmail, change.expiresAt);
    return {
      to: change.newEmail,
      subject: 'Confirm your new email address',
      text: renderMail(
        [
          greeting,
          'A change of the email address of your Redoubt account to this address was requested. Confirm it within 24 hours with this link, and with the link that was sent to the present address:',
          link,
          ignore,
        ],
        names,
      ),
    };
  });

  compose('email-changed', async ({ email = '', newEmail = '' }) => ({
    to: email,
    subject: 'Your email address was changed',
    text: renderMail(
      [
        'Hello,',
        'The email address of your Redoubt account was changed from this one to {newEmail}, after confirmation at both addresses.',
        'If this was not you, tell an administrator at once.',
      ],
      { newEmail },
    ),
  }));
};
