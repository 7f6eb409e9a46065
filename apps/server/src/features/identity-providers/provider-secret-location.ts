import { sealedLocation } from '../../platform/secrets/index.ts';

/** Where the secret of a provider is kept. */
export const providerSecretLocation = (id: string): string =>
  sealedLocation('identity_providers', 'secret', id);
