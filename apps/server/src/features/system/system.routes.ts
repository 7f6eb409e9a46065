import { openApiDocument, routes } from '@redoubt/contract';
import { bindPublic, type RouteBinding } from '../../platform/http/binding.ts';

export const createSystemRoutes = (health: { ping(): Promise<void> }): RouteBinding[] => {
  const document = openApiDocument();
  return [
    bindPublic(routes.getHealth, async () => {
      await health.ping();
      return { status: 'ok' as const };
    }),
    bindPublic(routes.getOpenApi, () => document),
  ];
};
