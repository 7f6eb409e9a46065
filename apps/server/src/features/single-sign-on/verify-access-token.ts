import type { Clock } from '../../platform/runtime.ts';
import { createVerifyGithubToken } from './verify-github-token.ts';
import { createVerifyGoogleToken } from './verify-google-token.ts';
import { createVerifyOidcToken } from './verify-oidc-token.ts';
import type { FindOidcClient } from './oidc-client.ts';
import type { Provider } from './provider.ts';
import type { ToProviderError } from './provider-error.ts';
import type { ProvenIdentity } from './proven-identity.ts';

/**
 * Verifies an access token, and returns the identity of its person.
 * @throws AuthError 401 unless the provider confirms that it issued the token to this server's client, HttpClientError 502
 *   if the provider sends no usable response
 */
export type VerifyAccessToken = (provider: Provider, accessToken: string) => Promise<ProvenIdentity>;

export const createVerifyAccessToken = (deps: {
  findClient: FindOidcClient;
  toProviderError: ToProviderError;
  clock: Clock;
}): VerifyAccessToken => {
  const verifyOidc = createVerifyOidcToken(deps);
  const verifyGoogle = createVerifyGoogleToken(deps.clock);
  const verifyGithub = createVerifyGithubToken(deps.clock);
  return async (provider, token) => {
    const { speech } = provider;
    try {
      switch (speech.kind) {
        case 'oidc':
          return await verifyOidc(provider, token);
        case 'google':
          return await verifyGoogle(provider, speech, token);
        case 'github':
          return await verifyGithub(provider, speech, token);
      }
    } catch (error) {
      throw deps.toProviderError(provider, error);
    }
  };
};
