import { forbidden } from '@redoubt/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieCredential } from '../auth/session-secret.ts';
import { tokenLifetimeSeconds } from '../auth/tokens.ts';
import { isLoopbackAddress } from '../outbound/index.ts';
import { readCookie } from './read-cookie.ts';

/** The header that names the session of a cookie. Pages of other origins cannot send it, since CORS does not allow it. */
const sessionHeader = 'x-redoubt-session';
/** The value with which a sign-in requests a cookie instead of a token. */
const newSession = 'new';

const isLoopbackHost = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);

const isLoopbackOrigin = (origin: string): boolean => isLoopbackHost(origin.replace(/^https?:\/\//, ''));

const isProxyHeader = (name: string): boolean =>
  name.startsWith('x-forwarded-') || ['forwarded', 'via', 'x-real-ip'].includes(name);

/** Whether a proxy forwarded the request. Anybody can send these headers, but gains nothing by it. */
const isForwarded = ({ headers }: FastifyRequest): boolean => Object.keys(headers).some(isProxyHeader);

/**
 * Whether the browser is on this machine. A proxy on this machine may call the server by a loopback address and name:
 * then its headers, or the origin of the page, show that the browser is elsewhere.
 */
const isLocal = (request: FastifyRequest): boolean => {
  const { headers, socket } = request;
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    (headers.origin === undefined || isLoopbackOrigin(headers.origin)) &&
    !isForwarded(request)
  );
};

/**
 * The name of the cookie for this connection. Cookies ignore ports, so servers on one loopback address need names of
 * their own.
 * @returns undefined over plain HTTP beyond loopback, where a cookie could be read on its way
 */
const cookieName = (request: FastifyRequest): string | undefined => {
  if (request.protocol === 'https') return '__Host-redoubt-session';
  return isLocal(request) ? `redoubt-session-${String(request.socket.localPort)}` : undefined;
};

const attributes = (name: string): string =>
  `Path=/; HttpOnly; SameSite=Strict${name.startsWith('__Host-') ? '; Secure' : ''}`;

/** Whether a request names the session of its cookie. Without this header, only `/me` reads the cookie. */
export const namesSession = ({ headers }: FastifyRequest): boolean =>
  headers[sessionHeader] !== undefined && headers[sessionHeader] !== newSession;

/** Whether a sign-in requests a cookie instead of a token. */
export const wantsCookie = ({ headers }: FastifyRequest): boolean => headers[sessionHeader] === newSession;

/**
 * The session of the request's cookie, not yet checked.
 * @param isHeaderOptional whether the cookie counts without the header that names its session
 * @returns undefined where there is no cookie, where the header names another session, or where the browser says that
 * the request comes from another site
 */
export const readSessionCookie = (
  request: FastifyRequest,
  isHeaderOptional: boolean,
): CookieCredential | undefined => {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return undefined;
  const name = cookieName(request);
  if (name === undefined) return undefined;
  const [, sessionId = '', secret = ''] =
    /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(readCookie(request, name)) ?? [];
  const named = headers[sessionHeader] ?? (isHeaderOptional ? sessionId : '');
  return sessionId !== '' && named === sessionId ? { sessionId, secret } : undefined;
};

/**
 * The name under which this connection can keep a session.
 * @throws 403 over plain HTTP beyond loopback
 */
export const requireCookieName = (request: FastifyRequest): string => {
  const name = cookieName(request);
  if (name !== undefined) return name;
  throw forbidden(
    'A browser signs in with a cookie, which this connection could not protect: it is plain HTTP and not on this machine. Set TLS_CERT and TLS_KEY, or put a proxy with TLS in front and name its address in TRUSTED_PROXIES, then open the https:// address.',
  );
};

export const setSessionCookie = (
  reply: FastifyReply,
  name: string,
  { sessionId, secret }: CookieCredential,
): void => {
  void reply.header(
    'set-cookie',
    `${name}=${sessionId}.${secret}; Max-Age=${tokenLifetimeSeconds}; ${attributes(name)}`,
  );
};

/** Makes the browser delete the cookie of a session that has ended. */
export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void => {
  const name = cookieName(request);
  if (name !== undefined) void reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes(name)}`);
};
