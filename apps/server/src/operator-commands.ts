import type { OperatorAccounts } from './features/accounts/index.ts';
import type { AuditLog, AuditActor, ChainReport } from './platform/audit/index.ts';
import type { Config } from './platform/config/index.ts';
import { OperatorError, type ControlCommands } from './platform/control/index.ts';
import { openTarget, writeBackup, type BackupDeps } from './platform/backup/index.ts';
import { s3SettingsOf } from './platform/files/index.ts';
import { rotateSecrets, sealedColumns, type SecretBox, type SecretKeys } from './platform/secrets/index.ts';

/** What a link that sets a password can be used for, wherever it came from. */
const howToUse = (link: string): string =>
  [
    link,
    `It can be used once, within one hour. Without a browser: POST /password-resets/confirm with {"token":"${link.split('/').at(-1)}","password":"…"}.`,
  ].join('\n');

/** Whoever has the data folder; what they do belongs to no workspace. */
const operator: AuditActor = { accountId: undefined, email: 'operator', workspace: undefined };

/** What reports are about, where it is no workspace. */
const subjects: Readonly<Record<string, string>> = {
  '-': 'no workspace',
  '*': 'the list of workspaces',
};

/** @throws OperatorError naming what does not fit, so that the command fails */
const reportText = (reports: readonly ChainReport[]): string => {
  const lines = reports.map(
    ({ workspace, events, fault }) =>
      `${subjects[workspace] ?? `workspace ${workspace}`}: ${fault ?? `${events} events, each in its place`}`,
  );
  const text = ['The audit log was checked.', ...lines].join('\n');
  if (reports.some(({ fault }) => fault !== undefined)) throw new OperatorError(text);
  return text;
};

/** What the command `redoubt` asks of the running server. */
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
  backup: async ([place = '']) => {
    const target = await openTarget(place, s3SettingsOf(config));
    try {
      // Before it, so that it is in the backup as well.
      await audit.tell(operator, { type: 'DataDownload', description: 'makes a backup of everything' });
      const datasets = await writeBackup({ ...engines, audit }, target);
      return `The backup is in ${place}: ${datasets} datasets. It holds all records and who may read them: keep it as safe as the server.`;
    } finally {
      target.close();
    }
  },

  'create-admin': async ([email = '', workspace]) => {
    const { workspace: slug, link } = await accounts.createAdmin(email, workspace);
    const done = `${email} is an admin of the workspace "${slug}".`;
    return link === undefined
      ? `${done} The account was there already, and keeps its password.`
      : `${done} Set the password of the account by this link:\n${howToUse(link)}`;
  },

  'reset-account': async ([email = '']) =>
    `Give this link to ${email} alone, since whoever sets the password reads what they may read:\n${howToUse(await accounts.reset(email))}`,

  'verify-audit': async () => reportText(await audit.verify()),

  'begin-audit-list': async () => {
    if (await audit.beginList()) return 'The list of workspaces that have events is begun, as they are now.';
    throw new OperatorError('There is a list of workspaces that have events: it is not begun anew.');
  },

  'rotate-secrets': async () => {
    if (
      config.SECRETS_KEY === undefined &&
      config.DATABASE_URL !== undefined &&
      config.CLICKHOUSE_URL !== undefined
    ) {
      throw new OperatorError(
        'Other servers may run on the same databases, and would not know a key that this one makes: set SECRETS_KEY for all of them.',
      );
    }
    const { resealed, madeKey } = await rotateSecrets({
      db: engines.db,
      keys,
      box: secrets,
      columns: sealedColumns,
    });
    const next = madeKey
      ? 'The new key is in the file secrets.keys of the data folder, and the old one is gone.'
      : 'They are sealed under the first key of SECRETS_KEY: the others can be taken out of it at the next start.';
    return `${resealed} secrets were sealed anew. ${next}`;
  },
});
