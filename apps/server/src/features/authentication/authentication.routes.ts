import { routes } from '@redoubt/contract';
import { tokenFrom } from '../../platform/auth/authenticate.ts';
import { bindPerson, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import { requestOrigin } from '../../platform/http/origin.ts';
import { clientAddress } from '../../platform/http/client-address.ts';
import type { AuthenticationService } from './authentication.service.ts';
import { headerJson } from './header-json.ts';

const headerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : tokenFrom(authorization);

export const createAuthenticationRoutes = (service: AuthenticationService): RouteBinding[] => [
  bindPublic(routes.authenticate, ({ body, query, request }) =>
    service.authenticate(
      body,
      query,
      clientAddress(request),
      { headers: request.headers, peer: request.socket.remoteAddress },
      request.id,
    ),
  ),
  bindPublic(routes.signOut, ({ actor, params, request }) =>
    service.signOut(actor, params.id, headerToken(request.headers.authorization), requestOrigin(request)),
  ),
  bindPerson(routes.getMe, async ({ actor, request, reply }) => {
    const me = await service.me(actor, headerToken(request.headers.authorization) ?? '');
    const { accessToken, ...user } = me;
    void reply.header('koverse-user', headerJson(user));
    if (accessToken !== '') void reply.header('koverse-jwt', accessToken);
    return me;
  }),
];
