import type { Protection } from '../http/protection/protection.ts';
import type { Config } from './settings.ts';

/** Checks the combination of the TLS settings. @returns an error message, or undefined */
export const findTlsSettingError = ({ TLS, TLS_CERT, TLS_KEY }: Config): string | undefined => {
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined))
    return `TLS_CERT and TLS_KEY must be set together, got only ${TLS_CERT === undefined ? 'TLS_KEY' : 'TLS_CERT'}. Set both or neither.`;
  if (TLS !== undefined && TLS_CERT !== undefined)
    return `TLS and TLS_CERT exclude each other, got both (TLS is "${TLS}"). Set only one of them.`;
  return undefined;
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
