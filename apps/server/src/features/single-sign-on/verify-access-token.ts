import type { Clock } from '../../platform/runtime.ts';
import { createVerifyGithubToken } from './verify-github-token.ts';
import { createVerifyGoogleToken } from './verify-google-token.ts';
import { createVerifyOidcToken } from './verify-oidc-token.ts';
import type { FindOidcClient } from './oidc-client.ts';
import type { Provider } from './provider.ts';
import type { ToProviderError } from './provider-error.ts';
import type { ProvenIdentity } from './proven-identity.ts';

/**
 * Finds out of whom an access token is.
 * @throws AuthError 401 unless the provider confirms that it issued the token to our client, and HttpClientError 502
 *   where it gives no answer that can be used
 */
export type VerifyAccessToken = (provider: Provider, accessToken: string) => Promise<ProvenIdentity>;

export const createVerifyAccessToken = (deps: {
  findClient: FindOidcClient;
  faultOf: ToProviderError;
  clock: Clock;
}): VerifyAccessToken => {
  const confirmOidc = createVerifyOidcToken(deps);
  const confirmGoogle = createVerifyGoogleToken(deps.clock);
  const confirmGithub = createVerifyGithubToken(deps.clock);
  return async (provider, token) => {
    const { speech } = provider;
    try {
      switch (speech.kind) {
        case 'oidc':
          return await confirmOidc(provider, token);
        case 'google':
          return await confirmGoogle(provider, speech, token);
        case 'github':
          return await confirmGithub(provider, speech, token);
      }
    } catch (error) {
      throw deps.faultOf(provider, error);
    }
  };
};
