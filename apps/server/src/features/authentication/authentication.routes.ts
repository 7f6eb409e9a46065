import { routes } from '@redoubt/contract';
import { tokenFrom } from '../../platform/auth/authenticate.ts';
import { bindPerson, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import type { AuthenticationService } from './authentication.service.ts';
import { headerJson } from './header-json.ts';

const headerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : tokenFrom(authorization);

export const createAuthenticationRoutes = (service: AuthenticationService): RouteBinding[] => [
  bindPublic(routes.authenticate, ({ body, query }) => service.authenticate(body, query)),
  bindPublic(routes.signOut, ({ actor, params, request }) =>
    service.signOut(actor, params.id, headerToken(request.headers.authorization)),
  ),
  bindPerson(routes.getMe, async ({ actor, request, reply }) => {
    const me = await service.me(actor, headerToken(request.headers.authorization) ?? '');
    const { accessToken, ...user } = me;
    void reply.header('koverse-user', headerJson(user));
    if (accessToken !== '') void reply.header('koverse-jwt', accessToken);
    return me;
  }),
];
