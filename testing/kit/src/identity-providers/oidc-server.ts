import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

/** A person at the provider: the claims of OpenID Connect. */
export type TestIdentity = { sub: string; email?: string; email_verified?: boolean } & Record<
  string,
  unknown
>;

type Tamper = (claims: JWTPayload) => object | Promise<string>;

/** A real OpenID provider on a free port of loopback. */
export interface TestOidc {
  issuer: string;
  /** The client of the server under test. */
  client: { id: string; secret: string };
  /** The client of another server. */
  otherClient: { id: string; secret: string };
  /** Adds a person. */
  know(identity: TestIdentity): void;
  /** Sets the person of the next sign-in. */
  signsIn(sub: string): void;
  /** Issues an opaque access token, which only the provider can read. */
  issueOpaque(
    sub: string,
    options?: { clientId?: string; scope?: string; seconds?: number },
  ): Promise<string>;
  /** Issues a signed access token with the claims of the person. */
  issueSigned(sub: string, options?: { clientId?: string; audience?: string }): Promise<string>;
  /** Signs any claims with the key of the provider. */
  sign(claims: JWTPayload, header?: { typ?: string; kid?: string }): Promise<string>;
  /** Changes or replaces the ID tokens from now on; undefined restores the real ones. */
  tamper(change: Tamper | undefined): void;
  /** Makes the provider unavailable, or available again. */
  setDown(isDown: boolean): void;
  /** The requests so far, such as `GET /me`. */
  requests: string[];
  close(): Promise<void>;
}

const algorithm = 'ES256';
const keyId = 'test';
const usualScope = 'openid email profile';

const clientOf = (name: string) => ({ id: name, secret: `the secret of ${name}, which nobody else knows` });

const configurationOf = (parts: {
  clients: { id: string; secret: string }[];
  key: Record<string, unknown>;
  people: ReadonlyMap<string, TestIdentity>;
}): Configuration => ({
  clients: parts.clients.map(({ id, secret }) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: ['https://client.example.org/callback'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    id_token_signed_response_alg: algorithm,
  })),
  jwks: { keys: [{ ...parts.key, kid: keyId, alg: algorithm, use: 'sig' }] },
  cookies: { keys: ['only for tests'] },
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name'],
  },
  findAccount: (_context, sub) => {
    const identity = parts.people.get(sub);
    return identity && { accountId: sub, claims: () => identity };
  },
  // Grants all scopes and claims without a consent page.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId ?? '',
      accountId: oidc.session?.accountId ?? '',
    });
    grant.addOIDCScope(usualScope);
    await grant.save();
    return grant;
  },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  extraTokenClaims: (_context, token) =>
    'accountId' in token ? (parts.people.get(token.accountId) ?? {}) : {},
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: () => true },
  },
  ttl: {
    AccessToken: 3600,
    Grant: 3600,
    IdToken: 3600,
    Interaction: 3600,
    Session: 3600,
    AuthorizationCode: 60,
  },
});

const claimsIn = (token: string): JWTPayload =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload;

/**
 * Starts an OpenID provider without people. Sign-ins need no password: the provider signs in whom the test has chosen.
 * Call `close` at the end of the test.
 */
export const startTestOidc = async (): Promise<TestOidc> => {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const people = new Map<string, TestIdentity>();
  const requests: string[] = [];
  const [client, otherClient] = [clientOf('redoubt'), clientOf('another-client')];
  let [signsIn, isDown] = ['', false];
  let tamper: Tamper | undefined;
  let result: RequestListener | undefined;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (isDown || result === undefined) request.socket.destroy();
    else result(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = (await exportJWK(privateKey)) as Record<string, unknown>;
  const provider = new Provider(issuer, configurationOf({ clients: [client, otherClient], key, people }));
  const sign: TestOidc['sign'] = (claims, { typ = 'JWT', kid = keyId } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ, kid }).sign(privateKey);
  // The server under test starts later, on a port that is not known yet.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => /\/sso\/[a-z]+\/callback$/.test(uri);
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      context.respond = false;
      const { req, res } = context;
      return provider.interactionFinished(req, res, { login: { accountId: signsIn } });
    }
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path === '/token' && body?.id_token !== undefined && tamper !== undefined) {
      const changed = await tamper(claimsIn(body.id_token));
      context.body = {
        ...body,
        id_token: typeof changed === 'string' ? changed : await sign(changed as JWTPayload),
      };
    }
  });
  const callback = provider.callback();
  result = (request, response) => void callback(request, response);

  const issue = async (
    sub: string,
    {
      clientId = client.id,
      scope = usualScope,
      seconds,
    }: { clientId?: string; scope?: string; seconds?: number },
    audience?: string,
  ): Promise<string> => {
    const found = await provider.Client.find(clientId);
    if (found === undefined) throw new Error(`There is no client ${clientId}`);
    const grant = new provider.Grant({ clientId, accountId: sub });
    grant.addOIDCScope(scope);
    const token = new provider.AccessToken({
      accountId: sub,
      client: found,
      grantId: await grant.save(),
      gty: 'authorization_code',
      scope,
      expiresWithSession: false,
      claims: {},
      ...(seconds !== undefined && { expiresIn: seconds }),
    });
    if (audience !== undefined) {
      token.resourceServer = new provider.ResourceServer(audience, {
        audience,
        scope,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: algorithm } },
      } as never);
    }
    return token.save();
  };

  return {
    issuer,
    client,
    otherClient,
    know: (identity) => void people.set(identity.sub, identity),
    signsIn: (sub) => (signsIn = sub),
    issueOpaque: (sub, options = {}) => issue(sub, options),
    issueSigned: (sub, { clientId = client.id, audience = 'urn:api' } = {}) =>
      issue(sub, { clientId }, audience),
    sign,
    tamper: (change) => (tamper = change),
    setDown: (down) => (isDown = down),
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
