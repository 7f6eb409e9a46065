import { routes, type Credentials } from '@redoubt/contract';
import { badRequest } from '@redoubt/errors';
import { tokenFrom } from '../../platform/auth/authenticate.ts';
import { bindPerson, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import { requestOrigin } from '../../platform/http/origin.ts';
import { wantsCookie, requireCookieName, setSessionCookie } from '../../platform/http/session-cookie.ts';
import { clientAddress } from '../../platform/http/client-address.ts';
import type { AuthenticationService } from './authentication.service.ts';

const unsafe = /[^\x20-\x7e]/g;

/** Prints JSON for a header: every character outside printable ASCII becomes `\uXXXX`. */
const headerJson = (value: unknown): string =>
  JSON.stringify(value).replace(unsafe, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const headerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : tokenFrom(authorization);

/**
 * Rejects a sign-in with a token or key that requests a cookie: the token or key would stay valid beside the cookie. A
 * person at a browser signs in again instead.
 */
const requireOwnSignIn = ({ strategy }: Credentials, { apiKey }: { apiKey?: boolean }): void => {
  if (strategy !== 'jwt' && apiKey !== true) return;
  const got = apiKey === true ? 'an API key' : 'the strategy "jwt"';
  throw badRequest(
    `X-Redoubt-Session: new needs a sign-in by password or single sign-on, got ${got}. Leave the header out to get a token.`,
  );
};

export const createAuthenticationRoutes = (service: AuthenticationService): RouteBinding[] => [
  bindPublic(routes.authenticate, async ({ body, query, request, reply }) => {
    const caller = { headers: request.headers, peer: request.socket.remoteAddress };
    const signIn = () => service.authenticate(body, query, clientAddress(request), caller, request.id);
    if (!wantsCookie(request)) return signIn();
    requireOwnSignIn(body, query);
    const name = requireCookieName(request);
    const { result, cookie } = await service.moveToCookie(await signIn());
    setSessionCookie(reply, name, cookie);
    return result;
  }),
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
