import type { Clock } from '../../platform/runtime.ts';
import { createConfirmGithub } from './confirm-github.ts';
import { createConfirmGoogle } from './confirm-google.ts';
import { createConfirmOidc } from './confirm-oidc.ts';
import type { FindOidcClient } from './oidc-client.ts';
import type { Provider } from './provider.ts';
import type { FaultOf } from './provider-fault.ts';
import type { ProvenIdentity } from './proven-identity.ts';

/**
 * Finds out of whom an access token is.
 * @throws AuthError 401 unless the provider confirms that it issued the token to our client, and HttpClientError 502
 *   where it gives no answer that can be used
 */
export type Confirm = (provider: Provider, accessToken: string) => Promise<ProvenIdentity>;

export const createConfirm = (deps: {
  findClient: FindOidcClient;
  faultOf: FaultOf;
  clock: Clock;
}): Confirm => {
  const confirmOidc = createConfirmOidc(deps);
  const confirmGoogle = createConfirmGoogle(deps.clock);
  const confirmGithub = createConfirmGithub(deps.clock);
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
