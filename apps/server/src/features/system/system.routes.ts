import { buildOpenApiDocument, routes } from '@redoubt/contract';
import { bindPublic, type RouteBinding } from '../../platform/http/binding.ts';

/** Created on the first request, and shared by all servers of a process. */
let document: ReturnType<typeof buildOpenApiDocument> | undefined;

export const createSystemRoutes = (health: { ping(): Promise<void> }): RouteBinding[] => [
  bindPublic(routes.getHealth, async () => {
    await health.ping();
    return { status: 'ok' as const };
  }),
  bindPublic(routes.getOpenApi, () => (document ??= buildOpenApiDocument())),
];
