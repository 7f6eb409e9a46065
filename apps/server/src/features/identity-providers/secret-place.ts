import { sealedPlace } from '../../platform/secrets/index.ts';

/** Where the secret of a provider is kept. */
export const secretPlace = (id: string): string => sealedPlace('identity_providers', 'secret', id);
