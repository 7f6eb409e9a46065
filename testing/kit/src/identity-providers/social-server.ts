import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A person at Google or GitHub, as an access token identifies them. */
export interface TestSocialToken {
  clientId: string;
  /** A number at GitHub. */
  id: number;
  email: string;
  verified: boolean;
  name?: string;
  /** Seconds since 1970; an hour from now if absent. */
  expiresAt?: number;
}

/**
 * A server that responds like Google's `tokeninfo` and like GitHub, as they document it:
 * https://developers.google.com/identity/protocols/oauth2,
 * https://docs.github.com/rest/apps/oauth-applications#check-a-token and
 * https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps.
 */
export interface TestSocial {
  url: string;
  /** Makes an access token valid. */
  give(token: string, about: TestSocialToken): void;
  /** Sets the access token of the next sign-in in a browser. */
  signsIn(token: string): void;
  setDown(isDown: boolean): void;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  body?: unknown;
  location?: string;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const hourFromNow = (): number => Math.floor(Date.now() / 1000) + 3600;

/** @param secret the secret of the client, which its requests about tokens of GitHub must contain */
export const startTestSocial = async (secret: string): Promise<TestSocial> => {
  const tokens = new Map<string, TestSocialToken>();
  const challenges = new Map<string, string>();
  let [next, isDown] = ['', false];

  const tokenInfo = (token: string | null): Reply => {
    const about = tokens.get(token ?? '');
    const expiresAt = about?.expiresAt ?? hourFromNow();
    if (about === undefined) return { status: 400, body: { error_description: 'Invalid Value' } };
    const { clientId, id, email, verified } = about;
    return {
      status: 200,
      body: {
        azp: clientId,
        aud: clientId,
        sub: String(id),
        scope: 'openid https://www.googleapis.com/auth/userinfo.email',
        exp: String(expiresAt),
        expires_in: '3599',
        email,
        email_verified: String(verified),
        access_type: 'online',
      },
    };
  };
  const checkToken = (request: IncomingMessage, clientId: string, body: string): Reply => {
    const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
    if (request.headers.authorization !== `Basic ${basic}`) return { status: 401 };
    const about = tokens.get((JSON.parse(body) as { access_token: string }).access_token);
    if (about?.clientId !== clientId) return { status: 404, body: { message: 'Not Found' } };
    const user = { login: `user${about.id}`, id: about.id, name: about.name ?? null };
    return { status: 200, body: { app: { client_id: clientId }, user, expires_at: null } };
  };
  const listEmails = ({ headers }: IncomingMessage): Reply => {
    const about = tokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
    if (about === undefined) return { status: 401, body: { message: 'Bad credentials' } };
    const other = { email: `other${about.id}@example.org`, primary: false, verified: true, visibility: null };
    const primary = { email: about.email, primary: true, verified: about.verified, visibility: 'public' };
    return { status: 200, body: [other, primary] };
  };
  const authorize = (query: URLSearchParams): Reply => {
    const code = `code${challenges.size}`;
    challenges.set(code, query.get('code_challenge') ?? '');
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return { status: 302, location: back.href };
  };
  const exchange = (form: URLSearchParams): Reply => {
    const isRight = challenges.has(form.get('code') ?? '') && form.get('client_secret') === secret;
    challenges.delete(form.get('code') ?? '');
    if (!isRight || form.get('code_verifier') === null)
      return { status: 200, body: { error: 'bad_verification_code' } };
    return { status: 200, body: { access_token: next, scope: 'user:email', token_type: 'bearer' } };
  };
  const respond = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = await bodyOf(request);
    const [, clientId] = /^\/applications\/([^/]+)\/token$/.exec(url.pathname) ?? [];
    if (clientId !== undefined) return checkToken(request, clientId, body);
    switch (url.pathname) {
      case '/tokeninfo':
        return tokenInfo(url.searchParams.get('access_token'));
      case '/user/emails':
        return listEmails(request);
      case '/login/oauth/authorize':
        return authorize(url.searchParams);
      case '/login/oauth/access_token':
        return exchange(new URLSearchParams(body));
      default:
        return { status: 404, body: {} };
    }
  };

  const send = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, location } = await respond(request);
    response.writeHead(isDown ? 503 : status, {
      'content-type': 'application/json',
      ...(location !== undefined && { location }),
    });
    response.end(JSON.stringify(body ?? {}));
  };
  const server = createServer((request, response) => void send(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    give: (token, about) => void tokens.set(token, about),
    signsIn: (token) => (next = token),
    setDown: (down) => (isDown = down),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
