import { findTlsSettingError } from './protection.ts';
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
      const problem = error instanceof Error ? error.message : 'cannot be read';
      throw new ConfigError(
        `${name} ${problem}. Change it, or unset it for the deproblem (${setting.deproblem}).`,
      );
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (
    config.METRICS_PORT !== undefined &&
    config.METRICS_TOKEN === undefined &&
    !loopback.test(config.METRICS_HOST)
  ) {
    throw new ConfigError(
      `METRICS_HOST must be a loopback address without METRICS_TOKEN, got "${config.METRICS_HOST}". Set METRICS_TOKEN as well, or unset METRICS_HOST.`,
    );
  }
  if ((config.S3_ACCESS_KEY_ID === undefined) !== (config.S3_SECRET_ACCESS_KEY === undefined)) {
    throw new ConfigError(
      `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, got only ${config.S3_ACCESS_KEY_ID === undefined ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'}. Set both or neither.`,
    );
  }
  if (config.CLICKHOUSE_CLUSTER !== undefined && config.CLICKHOUSE_URL === undefined) {
    throw new ConfigError(
      `CLICKHOUSE_CLUSTER must be set together with CLICKHOUSE_URL, got only CLICKHOUSE_CLUSTER "${config.CLICKHOUSE_CLUSTER}". Set CLICKHOUSE_URL to a server of the cluster, or unset CLICKHOUSE_CLUSTER.`,
    );
  }
  if ((config.SMTP_URL === undefined) !== (config.MAIL_FROM === undefined)) {
    throw new ConfigError(
      `SMTP_URL and MAIL_FROM must be set together, got only ${config.SMTP_URL === undefined ? 'MAIL_FROM' : 'SMTP_URL'}. Set both or neither.`,
    );
  }
  if (config.SMTP_URL !== undefined && config.PUBLIC_URL === undefined && !loopback.test(config.HOST)) {
    throw new ConfigError(
      `PUBLIC_URL must be set together with SMTP_URL, since links in mail start with it, got none. Set it to the URL at which people reach this server.`,
    );
  }
  const problem =
    findTlsSettingError(config) ?? findSingleSignOnSettingError(config) ?? findStripeSettingError(config);
  if (problem !== undefined) throw new ConfigError(problem);
  return config;
};

export type SignUp = 'open' | 'invited' | 'closed';

/** Who may sign up: by default anybody if only this machine can reach the server, else only invited people. */
export const signUpRule = ({ SIGN_UP, HOST }: Pick<Config, 'SIGN_UP' | 'HOST'>): SignUp =>
  SIGN_UP ?? (loopback.test(HOST) ? 'open' : 'invited');
