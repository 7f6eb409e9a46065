import type { SingleSignOnSettings } from '../../platform/config/index.ts';
import type { OutboundFetch } from '../../platform/outbound/index.ts';
import {
  githubEnds,
  type FindWorkspaceProvider,
  type WorkspaceProvider,
} from '../identity-providers/index.ts';
import { providerRefused } from './provider-error.ts';
import { isTrustedProvider } from './trusted-provider.ts';

/** How an OpenID Connect provider is found: by its issuer, or by addresses below one; it has to name these itself. */
export type OidcEndpoints = { issuer: string; expects?: ProviderEndpoints } | ProviderEndpoints;

export interface ProviderEndpoints {
  authorizeUrl: string;
  accessUrl: string;
  profileUrl: string;
}

export type ProviderProtocol =
  | { kind: 'oidc'; at: OidcEndpoints }
  | { kind: 'google'; at: { issuer: string; expects?: ProviderEndpoints }; tokenInfoUrl: string }
  | { kind: 'github'; url: string; apiUrl: string };

/** Somebody who says who people are, and as whose client we ask. */
export interface Provider {
  /** The strategy that it answers. */
  strategy: string;
  /** The workspace that brought it; undefined for a provider of the whole server. */
  own: { id: string; workspaceUid: string } | undefined;
  clientId: string;
  clientSecret: string;
  scope: string;
  speech: ProviderProtocol;
  /** Calls it, within what may be called for it. */
  fetch: OutboundFetch;
}

export const ssoStrategies = ['keycloak', 'microsoft', 'google', 'github', 'okta', 'custom'] as const;

/**
 * The provider for a strategy: the workspace's own if it has one, else that of the server.
 * @throws AuthError 401 for one of a workspace that the operator does not trust, before it is called
 */
export type FindProvider = (
  strategy: string,
  workspaceId: string | undefined,
) => Promise<Provider | undefined>;

const usualScope = 'openid email profile';

const serverSpeech = (
  strategy: string,
  settings: SingleSignOnSettings,
): { clientId: string; clientSecret: string; scope: string; speech: ProviderProtocol } | undefined => {
  const { github, google } = settings;
  switch (strategy) {
    case 'github':
      return github && { ...github, scope: 'read:user user:email', speech: { kind: 'github', ...github } };
    case 'google':
      return google && { ...google, scope: usualScope, speech: { kind: 'google', at: google, ...google } };
    case 'keycloak':
    case 'microsoft':
    case 'okta': {
      const oidc = settings[strategy];
      return oidc && { ...oidc, scope: usualScope, speech: { kind: 'oidc', at: { issuer: oidc.issuer } } };
    }
    default:
      return undefined;
  }
};

/** How the provider of a workspace is spoken to, by the addresses that it was given. */
const ownSpeech = ({ providerType, config }: WorkspaceProvider): ProviderProtocol => {
  const { authorizeUrl, accessUrl, profileUrl } = config;
  const expects = { authorizeUrl, accessUrl, profileUrl };
  switch (providerType) {
    case 'github':
      return {
        kind: 'github',
        url: authorizeUrl.slice(0, -githubEnds.authorizeUrl.length),
        apiUrl: profileUrl.slice(0, -githubEnds.profileUrl.length),
      };
    case 'google':
      return {
        kind: 'google',
        at: { issuer: new URL(authorizeUrl).origin, expects },
        tokenInfoUrl: new URL('tokeninfo', accessUrl).href,
      };
    case 'custom':
    case 'keycloak':
    case 'microsoft':
    case 'okta':
      return { kind: 'oidc', at: expects };
  }
};

export const createFindProvider = ({
  settings,
  findOwnProvider,
  fetchFor,
}: {
  settings: SingleSignOnSettings;
  findOwnProvider: FindWorkspaceProvider;
  fetchFor: { server: OutboundFetch; own: OutboundFetch };
}): FindProvider => {
  const ofWorkspace = async (strategy: string, workspaceId: string): Promise<Provider | undefined> => {
    const own = await findOwnProvider(strategy, workspaceId);
    if (own === undefined) return undefined;
    // Whoever runs a provider can name anybody: they would read with the attributes of others.
    if (!isTrustedProvider(own, settings.trustedIssuers ?? [])) {
      throw providerRefused(
        { strategy },
        'it is the provider of a workspace, and the operator of this server does not vouch for it. Sign in another way, or ask the operator to name its addresses in SSO_TRUSTED_ISSUERS.',
      );
    }
    const { key: clientId, scope } = own.config;
    return {
      strategy,
      own: { id: own.id, workspaceUid: own.workspaceUid },
      clientId,
      clientSecret: own.secret,
      scope: scope.join(' '),
      speech: ownSpeech(own),
      fetch: fetchFor.own,
    };
  };
  return async (strategy, workspaceId) => {
    const own = workspaceId === undefined ? undefined : await ofWorkspace(strategy, workspaceId);
    if (own !== undefined) return own;
    const speech = serverSpeech(strategy, settings);
    return speech && { strategy, own: undefined, fetch: fetchFor.server, ...speech };
  };
};
