import type { SingleSignOnSettings } from '../../platform/config/index.ts';
import type { OutboundFetch } from '../../platform/outbound/index.ts';
import {
  githubEnds,
  type FindWorkspaceProvider,
  type WorkspaceProvider,
} from '../identity-providers/index.ts';
import { providerRefused } from './provider-error.ts';
import { isTrustedProvider } from './trusted-provider.ts';

/** How to find an OpenID Connect provider: by its issuer, or by endpoints that its discovery document must contain. */
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

/** An identity provider, with the credentials of this server as its client. */
export interface Provider {
  /** The strategy that it is used for. */
  strategy: string;
  /** The workspace that it belongs to; undefined for a provider of the whole server. */
  own: { id: string; workspaceUid: string } | undefined;
  clientId: string;
  clientSecret: string;
  scope: string;
  speech: ProviderProtocol;
  /** Sends requests to it, limited to the networks that it may be in. */
  fetch: OutboundFetch;
}

export const ssoStrategies = ['keycloak', 'microsoft', 'google', 'github', 'okta', 'custom'] as const;

/**
 * Finds the provider for a strategy: the workspace's own if it has one, otherwise that of the server.
 * @throws AuthError 401 for a workspace's provider that the operator does not trust, before any request to it
 */
export type FindProvider = (
  strategy: string,
  workspaceId: string | undefined,
) => Promise<Provider | undefined>;

const defaultScope = 'openid email profile';

const serverProtocol = (
  strategy: string,
  settings: SingleSignOnSettings,
): { clientId: string; clientSecret: string; scope: string; speech: ProviderProtocol } | undefined => {
  const { github, google } = settings;
  switch (strategy) {
    case 'github':
      return github && { ...github, scope: 'read:user user:email', speech: { kind: 'github', ...github } };
    case 'google':
      return google && { ...google, scope: defaultScope, speech: { kind: 'google', at: google, ...google } };
    case 'keycloak':
    case 'microsoft':
    case 'okta': {
      const oidc = settings[strategy];
      return oidc && { ...oidc, scope: defaultScope, speech: { kind: 'oidc', at: { issuer: oidc.issuer } } };
    }
    default:
      return undefined;
  }
};

/** Whether the operator has set up a provider of the whole server for the strategy. */
export const isServerProvider = (strategy: string, settings: SingleSignOnSettings): boolean =>
  serverProtocol(strategy, settings) !== undefined;

/** Derives the protocol of a workspace's provider from its configured addresses. */
const workspaceProtocol = ({ providerType, config }: WorkspaceProvider): ProviderProtocol => {
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
    // The owner of a provider can claim any identity, and would read with the attributes of other people.
    if (!isTrustedProvider(own, settings.trustedIssuers ?? [])) {
      throw providerRefused(
        { strategy },
        'the provider belongs to a workspace, and the operator of this server does not trust it. Sign in another way, or ask the operator to add its addresses to SSO_TRUSTED_ISSUERS.',
      );
    }
    const { key: clientId, scope } = own.config;
    return {
      strategy,
      own: { id: own.id, workspaceUid: own.workspaceUid },
      clientId,
      clientSecret: own.secret,
      scope: scope.join(' '),
      speech: workspaceProtocol(own),
      fetch: fetchFor.own,
    };
  };
  return async (strategy, workspaceId) => {
    const own = workspaceId === undefined ? undefined : await ofWorkspace(strategy, workspaceId);
    if (own !== undefined) return own;
    const speech = serverProtocol(strategy, settings);
    return speech && { strategy, own: undefined, fetch: fetchFor.server, ...speech };
  };
};
