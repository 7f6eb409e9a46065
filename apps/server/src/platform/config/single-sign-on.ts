import { findIncompleteGroup } from './setting-groups.ts';
import type { Config } from './settings.ts';

/** An OpenID Connect provider of the whole server. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** The ways of signing in other than passwords. Absent ones are off. */
export interface SingleSignOnSettings {
  keycloak?: OidcSettings | undefined;
  microsoft?: OidcSettings | undefined;
  okta?: OidcSettings | undefined;
  google?: (OidcSettings & { tokenInfoUrl: string }) | undefined;
  github?: { clientId: string; clientSecret: string; url: string; apiUrl: string } | undefined;
  /** URL prefixes of workspaces' own providers that are trusted to verify email addresses. */
  trustedIssuers?: readonly string[] | undefined;
  /** Whether workspaces' own providers may be in private networks and on this machine. */
  allowsPrivate?: boolean | undefined;
  proxy?: { from: readonly string[]; secret: string; emailHeader: string } | undefined;
}

/** Settings that must be set together: all of a group, or none. */
const groups = [
  ['KEYCLOAK_ISSUER', 'KEYCLOAK_CLIENT_ID', 'KEYCLOAK_CLIENT_SECRET'],
  ['MICROSOFT_ISSUER', 'MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['OKTA_ISSUER', 'OKTA_CLIENT_ID', 'OKTA_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['PROXY_SIGN_IN_FROM', 'PROXY_SIGN_IN_SECRET'],
] as const;

/** Checks the combination of the single sign-on settings. @returns an error message, or undefined */
export const findSingleSignOnSettingError = (config: Config): string | undefined => {
  for (const group of groups) {
    const problem = findIncompleteGroup(config, group);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const oidcOf = (
  issuer: string | undefined,
  clientId: string | undefined,
  clientSecret: string | undefined,
): OidcSettings | undefined =>
  issuer === undefined || clientId === undefined || clientSecret === undefined
    ? undefined
    : { issuer, clientId, clientSecret };

export const singleSignOnOf = (config: Config): SingleSignOnSettings => {
  const google = oidcOf(config.GOOGLE_ISSUER, config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET);
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = config;
  const { PROXY_SIGN_IN_FROM: from, PROXY_SIGN_IN_SECRET: secret } = config;
  return {
    keycloak: oidcOf(config.KEYCLOAK_ISSUER, config.KEYCLOAK_CLIENT_ID, config.KEYCLOAK_CLIENT_SECRET),
    microsoft: oidcOf(config.MICROSOFT_ISSUER, config.MICROSOFT_CLIENT_ID, config.MICROSOFT_CLIENT_SECRET),
    okta: oidcOf(config.OKTA_ISSUER, config.OKTA_CLIENT_ID, config.OKTA_CLIENT_SECRET),
    google: google && { ...google, tokenInfoUrl: config.GOOGLE_TOKENINFO_URL },
    github:
      clientId === undefined || clientSecret === undefined
        ? undefined
        : { clientId, clientSecret, url: config.GITHUB_URL, apiUrl: config.GITHUB_API_URL },
    trustedIssuers: config.SSO_TRUSTED_ISSUERS,
    allowsPrivate: config.ALLOW_PRIVATE_ADDRESSES,
    proxy: secret === undefined ? undefined : { from, secret, emailHeader: config.PROXY_SIGN_IN_HEADER },
  };
};
