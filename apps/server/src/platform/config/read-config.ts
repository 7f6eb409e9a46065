import { findTlsSettingError } from './protection.ts';
import type { Setting } from './setting.ts';
import { settings, type Config } from './settings.ts';
import { findStripeSettingError } from './stripe.ts';
import { findSingleSignOnSettingError } from './single-sign-on.ts';

const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/** A setting that cannot be used; the message is one line for the person who starts the server. */
export class ConfigError extends Error {}

/** Reads and checks the settings. An empty variable counts as absent. */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config => {
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    try {
      return [name, setting.read(environment[name] === '' ? undefined : environment[name])];
    } catch (error) {
      throw new ConfigError(`${name} ${error instanceof Error ? error.message : 'cannot be read'}.`);
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (
    config.METRICS_PORT !== undefined &&
    config.METRICS_TOKEN === undefined &&
    !loopback.test(config.METRICS_HOST)
  ) {
    throw new ConfigError(
      `METRICS_HOST is "${config.METRICS_HOST}", which others reach: set METRICS_TOKEN as well, or leave METRICS_HOST out.`,
    );
  }
  if ((config.S3_ACCESS_KEY_ID === undefined) !== (config.S3_SECRET_ACCESS_KEY === undefined)) {
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both, or neither.');
  }
  if (config.CLICKHOUSE_CLUSTER !== undefined && config.CLICKHOUSE_URL === undefined) {
    throw new ConfigError(
      `CLICKHOUSE_CLUSTER is "${config.CLICKHOUSE_CLUSTER}", but no server of it is named: set CLICKHOUSE_URL as well.`,
    );
  }
  if ((config.SMTP_URL === undefined) !== (config.MAIL_FROM === undefined)) {
    throw new ConfigError('SMTP_URL and MAIL_FROM go together: set both, or neither.');
  }
  if (config.SMTP_URL !== undefined && config.PUBLIC_URL === undefined && !loopback.test(config.HOST)) {
    throw new ConfigError(
      `PUBLIC_URL is not set, and the links in mail have to begin with it: set it to the address by which people reach this server.`,
    );
  }
  const fault =
    findTlsSettingError(config) ?? findSingleSignOnSettingError(config) ?? findStripeSettingError(config);
  if (fault !== undefined) throw new ConfigError(fault);
  return config;
};

export type SignUp = 'open' | 'invited' | 'closed';

/** Who may sign up: open to anybody only where nobody but this machine can reach the server. */
export const signUpRule = ({ SIGN_UP, HOST }: Pick<Config, 'SIGN_UP' | 'HOST'>): SignUp =>
  SIGN_UP ?? (loopback.test(HOST) ? 'open' : 'invited');
