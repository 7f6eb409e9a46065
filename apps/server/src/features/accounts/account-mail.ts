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
const ignore = 'If you did not ask for this, you need do nothing: without the link nothing changes.';

/** The letters about accounts. Each link is made when its letter is written, and stands nowhere else. */
export const writeAccountMail = ({
  db,
  links,
  mail,
  publicUrl,
  runtime: { clock },
}: AccountMailDeps): void => {
  const accounts = createAccountStateRepository(db);
  const accountOf = ({ accountId, email }: Record<string, string>): Promise<AccountState | undefined> =>
    accountId === undefined ? accounts.findByEmail(email ?? '') : accounts.find(accountId);

  /** Whether a link of the kind was sent just now; a mail that is tried again made that link itself. */
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
    `${publicUrl()}/${page}/${await links.issue(db, { accountId: account.id, purpose, email }, expiresAt)}`;

  const within = (milliseconds: number): Date => new Date(clock.now().getTime() + milliseconds);

  const compose = (
    kind: MailKind,
    write: (about: Record<string, string>, attempt: number) => Promise<Mail | undefined>,
  ): void =>
    mail.compose(kind, (about, attempt) => write(JSON.parse(about) as Record<string, string>, attempt));

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
          'an account of Redoubt was made with this email address. Confirm that it is yours by this link, within 24 hours:',
          link,
          'If you did not make an account, do nothing.',
        ],
        { firstName },
      ),
    };
  });

  compose('reset-password', async (about, attempt) => {
    const account = await accountOf(about);
    // Where a provider signs people in, a password set here would go past it.
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
          'a new password was asked for, for your account of Redoubt. Set it by this link, within one hour; all your sessions end then:',
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
          'the password of your account of Redoubt was changed just now.',
          'If that was not you, ask for a new password at once, and tell an administrator.',
        ],
        { firstName },
      ),
    };
  });

  /** Undefined where the change was taken back, or another took its place. */
  const changeOf = async ({ accountId = '', newEmail = '' }: Record<string, string>) => {
    const account = await accounts.find(accountId);
    const change = await createEmailChangeRepository(db).find(accountId);
    if (account === undefined || change?.newEmail !== newEmail || change.expiresAt <= clock.now())
      return undefined;
    return { account, change, names: { firstName: account.firstName, email: account.email, newEmail } };
  };

  compose('leave-email', async (about) => {
    const found = await changeOf(about);
    if (found === undefined || found.change.oldConfirmed) return undefined;
    const { account, change, names } = found;
    const link = await pageLink('change-email', account, 'leave-email', account.email, change.expiresAt);
    return {
      to: account.email,
      subject: 'Confirm that your email address changes',
      text: renderMail(
        [
          greeting,
          'your account of Redoubt is to have the email address {newEmail} from now on. Confirm it by this link, within 24 hours, and by the link that was sent to the new address:',
          link,
          'If you did not ask for this, somebody else uses your account: do not follow the link, and change your password.',
        ],
        names,
      ),
    };
  });

  compose('take-email', async (about) => {
    const found = await changeOf(about);
    if (found === undefined || found.change.newConfirmed) return undefined;
    const { account, change, names } = found;
    const link = await pageLink('change-email', account, 'take-email', change.newEmail, change.expiresAt);
    return {
      to: change.newEmail,
      subject: 'Confirm your new email address',
      text: renderMail(
        [
          greeting,
          'your account of Redoubt is to have this email address. Confirm it by this link, within 24 hours, and by the link that was sent to the present address:',
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
        'the account of Redoubt that had this email address has the address {newEmail} now. It was confirmed at both.',
        'If that was not you, tell an administrator at once.',
      ],
      { newEmail },
    ),
  }));
};
