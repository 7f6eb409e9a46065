import { expectedMessage } from '@redoubt/errors';
import { findTlsSettingError } from './protection.ts';
import { findIncompleteGroup } from './setting-groups.ts';
import { SettingMismatch } from './setting-readers.ts';
import type { Setting } from './setting.ts';
import { settings, type Config } from './settings.ts';
import { findStripeSettingError } from './stripe.ts';
import { findSingleSignOnSettingError } from './single-sign-on.ts';

const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/** A setting with an unusable value; the message is one line for the person who starts the server. */
export class ConfigError extends Error {}

/**
 * Reads and checks all settings. An empty variable counts as absent.
 * @throws ConfigError for the first setting with a wrong value
 */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config => {
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    try {
      return [name, setting.read(environment[name] === '' ? undefined : environment[name])];
    } catch (error) {
      if (!(error instanceof SettingMismatch)) throw error;
      const { expected, got } = error;
      const advice = `Change it, or unset it for the default (${setting.default}).`;
      throw new ConfigError(expectedMessage({ field: name, expected, got, advice }));
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (
    config.METRICS_PORT !== undefined &&
    config.METRICS_TOKEN === undefined &&
    !loopback.test(config.METRICS_HOST)
  ) {
    throw new ConfigError(
      expectedMessage({
        field: 'METRICS_HOST',
        expected: 'a loopback address without METRICS_TOKEN',
        got: `"${config.METRICS_HOST}"`,
        advice: 'Set METRICS_TOKEN as well, or unset METRICS_HOST.',
      }),
    );
  }
  if (config.CLICKHOUSE_CLUSTER !== undefined && config.CLICKHOUSE_URL === undefined) {
    throw new ConfigError(
      expectedMessage({
        field: 'CLICKHOUSE_CLUSTER',
        expected: 'set together with CLICKHOUSE_URL',
        got: `only CLICKHOUSE_CLUSTER "${config.CLICKHOUSE_CLUSTER}"`,
        advice: 'Set CLICKHOUSE_URL to a server of the cluster, or unset CLICKHOUSE_CLUSTER.',
      }),
    );
  }
  if (config.S3_BUCKET !== undefined && config.S3_SHARED_BUCKETS.includes(config.S3_BUCKET)) {
    throw new ConfigError(
      expectedMessage({
        field: 'S3_SHARED_BUCKETS',
        expected: 'a list without S3_BUCKET, which holds records of everybody',
        got: `"${config.S3_SHARED_BUCKETS.join(',')}"`,
        advice: `Take "${config.S3_BUCKET}" out of it.`,
      }),
    );
  }
  if (config.SMTP_URL !== undefined && config.PUBLIC_URL === undefined && !loopback.test(config.HOST)) {
    throw new ConfigError(
      expectedMessage({
        field: 'PUBLIC_URL',
        expected: 'set together with SMTP_URL, since links in mail start with it',
        got: 'only SMTP_URL',
        advice: 'Set PUBLIC_URL to the URL at which people reach this server.',
      }),
    );
  }
  const problem =
    findIncompleteGroup(config, ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) ??
    findIncompleteGroup(config, ['SMTP_URL', 'MAIL_FROM']) ??
    findTlsSettingError(config) ??
    findSingleSignOnSettingError(config) ??
    findStripeSettingError(config);
  if (problem !== undefined) throw new ConfigError(problem);
  return config;
};

export type SignUp = 'open' | 'invited' | 'closed';

/** Who may sign up: by default anybody if only this machine can reach the server, else only invited people. */
export const signUpRule = ({ SIGN_UP, HOST }: Pick<Config, 'SIGN_UP' | 'HOST'>): SignUp =>
  SIGN_UP ?? (loopback.test(HOST) ? 'open' : 'invited');
