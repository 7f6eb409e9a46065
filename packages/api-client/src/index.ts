export { createApiClient, type ApiClientOptions } from './client.ts';
export type { ApiClient, CallInput, CallOptions, QueryInput } from './types.ts';
