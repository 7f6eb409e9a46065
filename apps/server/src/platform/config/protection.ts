import { expectedMessage } from '@redoubt/errors';
import type { Protection } from '../http/protection/protection.ts';
import { findIncompleteGroup } from './setting-groups.ts';
import type { Config } from './settings.ts';

/** Checks the combination of the TLS settings. @returns an error message, or undefined */
export const findTlsSettingError = (config: Config): string | undefined => {
  const { TLS, TLS_CERT } = config;
  if (TLS !== undefined && TLS_CERT !== undefined) {
    return expectedMessage({
      field: 'TLS',
      expected: 'unset when TLS_CERT is set',
      got: `"${TLS}"`,
      advice: 'Set only one of them.',
    });
  }
  return findIncompleteGroup(config, ['TLS_CERT', 'TLS_KEY']);
};

/** The protection options in the settings, without the certificate, which is read at the start. */
export const toProtectionOptions = (config: Config): Omit<Protection, 'tls'> => ({
  trustedProxies: config.TRUSTED_PROXIES,
  corsOrigins: config.CORS_ORIGINS,
  rateLimits: {
    perCredential: config.RATE_LIMIT_PER_CREDENTIAL,
    perAddress: config.RATE_LIMIT_PER_ADDRESS,
  },
  requestSeconds: config.REQUEST_TIMEOUT_SECONDS,
});
