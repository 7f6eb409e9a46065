import type { Protection } from '../http/protection/protection.ts';
import type { Config } from './settings.ts';

/** What is wrong with the settings of TLS taken together, if anything is. */
export const findTlsSettingError = ({ TLS, TLS_CERT, TLS_KEY }: Config): string | undefined => {
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined))
    return 'TLS_CERT and TLS_KEY go together: set both, or neither.';
  if (TLS !== undefined && TLS_CERT !== undefined)
    return `TLS is "${TLS}" and TLS_CERT is set, too: set one of them.`;
  return undefined;
};

/** What the settings say of protection; the certificate is read where the server starts. */
export const toProtectionOptions = (config: Config): Omit<Protection, 'tls'> => ({
  trustedProxies: config.TRUSTED_PROXIES,
  corsOrigins: config.CORS_ORIGINS,
  rateLimits: {
    perCredential: config.RATE_LIMIT_PER_CREDENTIAL,
    perAddress: config.RATE_LIMIT_PER_ADDRESS,
  },
  requestSeconds: config.REQUEST_TIMEOUT_SECONDS,
});
