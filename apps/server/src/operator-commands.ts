import type { OperatorAccounts } from './features/accounts/index.ts';
import type { AuditLog, AuditActor, ChainReport } from './platform/audit/index.ts';
import type { Config } from './platform/config/index.ts';
import { OperatorError, type ControlCommands } from './platform/control/index.ts';
import { openTarget, writeBackup, type BackupDeps } from './platform/backup/index.ts';
import { s3SettingsOf } from './platform/files/index.ts';
import { rotateSecrets, sealedColumns, type SecretBox, type SecretKeys } from './platform/secrets/index.ts';

/** The link that sets a password, and how to use it. */
const linkText = (link: string): string =>
  [
    link,
    `It works once, within one hour. Without a browser: POST /password-resets/confirm with {"token":"${link.split('/').at(-1)}","password":"…"}.`,
  ].join('\n');

/**
 * The author of audit events of the commands. Anyone with access to the data folder can run them; they belong to no
 * workspace.
 */
const operator: AuditActor = { accountId: undefined, email: 'operator', workspace: undefined };

/** Names of the chains that belong to no workspace. */
const chainNames: Readonly<Record<string, string>> = {
  '-': 'no workspace',
  '*': 'the list of workspaces',
};

/** @throws OperatorError with the same report when a chain is broken, so that the command fails */
const reportText = (reports: readonly ChainReport[]): string => {
  const lines = reports.map(
    ({ workspace, events, problem }) =>
      `${chainNames[workspace] ?? `workspace ${workspace}`}: ${problem ?? `${events} events, all as they were written`}`,
  );
  const text = ['The audit log was checked.', ...lines].join('\n');
  if (reports.some(({ problem }) => problem !== undefined)) throw new OperatorError(text);
  return text;
};

/** The handlers of the commands that `npm run redoubt` sends to the running server. */
export const operatorCommands = ({
  config,
  accounts,
  keys,
  secrets,
  audit,
  ...engines
}: BackupDeps & {
  audit: AuditLog;
  config: Config;
  accounts: OperatorAccounts;
  keys: SecretKeys;
  secrets: SecretBox;
}): ControlCommands => ({
  backup: async ([location = '']) => {
    const target = await openTarget(location, s3SettingsOf(config));
    try {
      // Logged before the copy, so that the backup contains the event as well.
      await audit.log(operator, { type: 'DataDownload', description: 'started a backup of everything' });
      const datasets = await writeBackup({ ...engines, audit }, target);
      return `The backup is in ${location}: ${datasets} datasets. It contains all records and who may read them: keep it as safe as the server.`;
    } finally {
      target.close();
    }
  },

  'create-admin': async ([email = '', workspace]) => {
    const { workspace: slug, link } = await accounts.createAdmin(email, workspace);
    const done = `${email} is an admin of the workspace "${slug}".`;
    return link === undefined
      ? `${done} The account existed already and keeps its password.`
      : `${done} Set the password of the account with this link:\n${linkText(link)}`;
  },

  'reset-account': async ([email = '']) =>
    `Give this link to ${email} only: the person who sets the password can read everything that this account can read.\n${linkText(await accounts.reset(email))}`,

  'verify-audit': async () => reportText(await audit.verify()),

  'begin-audit-list': async () => {
    if (await audit.beginList())
      return 'Created the list of workspaces that have events, from the events that exist now.';
    throw new OperatorError(
      'The list of workspaces that have events exists already, and was not changed. This command is only for a log without one.',
    );
  },

  'rotate-secrets': async () => {
    if (
      config.SECRETS_KEY === undefined &&
      config.DATABASE_URL !== undefined &&
      config.CLICKHOUSE_URL !== undefined
    ) {
      throw new OperatorError(
        'Cannot create a new key: other servers may use the same databases and would not have it. Set SECRETS_KEY on all of them, with the new key first, and run this again.',
      );
    }
    const { resealed, madeKey } = await rotateSecrets({
      db: engines.db,
      keys,
      box: secrets,
      columns: sealedColumns,
    });
    const next = madeKey
      ? 'The new key is in the file secrets.keys of the data folder; the old key was deleted.'
      : 'They are encrypted with the first key of SECRETS_KEY: you can remove the other keys before the next start.';
    return `${resealed} secrets were encrypted again. ${next}`;
  },
});
