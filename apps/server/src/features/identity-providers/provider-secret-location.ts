import { sealedLocation } from '../../platform/secrets/index.ts';

/** Where the secret of a provider is stored; the secret can be unsealed only with the same location. */
export const providerSecretLocation = (id: string): string =>
  sealedLocation('identity_providers', 'secret', id);
