import OAuth2Server from '@node-oauth/oauth2-server';
import type { OAuthToken } from '@redoubt/contract';
import type { AuditedChange, AuditActor } from '../../platform/audit/index.ts';
import type { RequestOrigin } from '../../platform/auth/actor.ts';
import type { OpenSession } from '../../platform/auth/open-session.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Tokens } from '../../platform/auth/tokens.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { isSecretOf, generateClientSecret, secretHashOf } from '../applications/index.ts';
import { readClientCredentials, type ClientCredentials } from './client-credentials.ts';
import { grantRevokedEvent } from './grant-events.ts';
import { toOAuthError } from './library-errors.ts';
import { oauthLifetimes } from './lifetimes.ts';
import { OAuthRequestError } from '../../platform/http/oauth-error.ts';
import type { Grant, OAuthClient, OAuthRepository, StoredToken } from './oauth.repository.ts';
import type { Parameters } from './parameters.ts';

export interface TokenService {
  /** Exchanges a code or a refresh token for tokens. @throws OAuthRequestError as defined in RFC 6749 (5.2) */
  exchange(authorization: string | undefined, form: Parameters, origin: RequestOrigin): Promise<OAuthToken>;
  /** Revokes the grant of a token. Unknown tokens, and those of other clients, get the same response (RFC 7009, 2.2). */
  revoke(authorization: string | undefined, form: Parameters, origin: RequestOrigin): Promise<void>;
}

const usedTwice = 'a code or a refresh token was used twice';
const grants = ['authorization_code', 'refresh_token'];
const libraryClient = ({ clientId }: Pick<StoredToken, 'clientId'>) => ({ id: clientId, grants });
/** Keeps the library from checking expiry by the machine's clock: this service has already checked it by its own clock. */
const neverExpires = new Date(8.64e15);

export const createTokenService = ({
  repository,
  audited,
  openSession,
  tokens,
  sessions,
  runtime: { clock, random },
}: {
  repository: Omit<OAuthRepository, 'revokeGrant'>;
  audited: AuditedChange<Pick<OAuthRepository, 'revokeGrant'>>;
  openSession: OpenSession;
  tokens: Pick<Tokens, 'verify'>;
  sessions: Pick<SessionRepository, 'findLive'>;
  runtime: Pick<Runtime, 'clock' | 'random'>;
}): TokenService => {
  const authenticate = async ({ clientId, clientSecret }: ClientCredentials): Promise<OAuthClient> => {
    const client = await repository.findClient(clientId);
    if (client !== undefined && isSecretOf(clientSecret, client.secretHash)) return client;
    throw new OAuthRequestError(
      'invalid_client',
      'There is no application with this client_id and client_secret. Check both.',
      401,
    );
  };

  const revokeGrant = (grant: Grant, why: string, origin: RequestOrigin): Promise<boolean> => {
    const { grantId, accountId, email, workspaceUid, applicationId, type, name } = grant;
    const author: AuditActor = {
      accountId,
      email,
      workspace: { uniqueId: workspaceUid },
      credential: { kind: 'application', applicationId, type },
      origin,
    };
    const event = grantRevokedEvent({ applicationId, name }, why);
    return audited(
      author,
      (isRevoked) => (isRevoked ? event : undefined),
      (transaction) => transaction.revokeGrant(grantId, clock.now()),
    );
  };

  const issue = async ({ grantId, accountId, email, workspaceUid, applicationId, type }: StoredToken) => {
    const now = clock.now();
    const signed = await openSession(
      {
        account: { id: accountId, email },
        workspaceUid,
        createdAt: now,
        endsAt: new Date(now.getTime() + oauthLifetimes.accessToken),
        credential: { kind: 'application', applicationId, type },
      },
      { grantId },
    );
    const refreshToken = generateClientSecret(random);
    const isStored = await repository.saveRefreshToken({
      hash: secretHashOf(refreshToken),
      grantId,
      now,
      expiresAt: new Date(now.getTime() + oauthLifetimes.refreshToken),
    });
    if (signed === undefined || !isStored) {
      throw new OAuth2Server.InvalidGrantError('Invalid grant: it has ended meanwhile');
    }
    return { accessToken: signed.token, refreshToken };
  };

  /** Creates the library's server for one request. */
  const serverFor = (origin: RequestOrigin): OAuth2Server => {
    /** A second use means that the code or token was stolen, so the whole grant is revoked. */
    const unlessUsed = async <T extends StoredToken>(found: T | undefined): Promise<T | undefined> => {
      if (found?.isUsed === true) {
        await revokeGrant(found, usedTwice, origin);
        return undefined;
      }
      return found === undefined || found.expiresAt <= clock.now() ? undefined : found;
    };
    const useOnce = async (isFirst: boolean, grant: Grant): Promise<boolean> => {
      if (!isFirst) await revokeGrant(grant, usedTwice, origin);
      return isFirst;
    };
    return new OAuth2Server({
      accessTokenLifetime: oauthLifetimes.accessToken / 1000,
      refreshTokenLifetime: oauthLifetimes.refreshToken / 1000,
      model: {
        getAccessToken: () => Promise.resolve(undefined),
        saveAuthorizationCode: () => Promise.resolve(undefined),
        getClient: async (clientId: string, clientSecret: string) =>
          libraryClient(await authenticate({ clientId, clientSecret })),
        getAuthorizationCode: async (authorizationCode: string) => {
          const code = await unlessUsed(await repository.findCode(secretHashOf(authorizationCode)));
          return (
            code && {
              authorizationCode,
              expiresAt: neverExpires,
              redirectUri: code.redirectUrl,
              codeChallenge: code.challenge,
              codeChallengeMethod: 'S256',
              client: libraryClient(code),
              user: code,
            }
          );
        },
        revokeAuthorizationCode: async ({ authorizationCode, user }) => {
          const isFirst = await repository.useCode(secretHashOf(authorizationCode), clock.now());
          return useOnce(isFirst, user as StoredToken);
        },
        getRefreshToken: async (refreshToken: string) => {
          const token = await unlessUsed(await repository.findRefreshToken(secretHashOf(refreshToken)));
          return (
            token && {
              refreshToken,
              refreshTokenExpiresAt: neverExpires,
              client: libraryClient(token),
              user: token,
            }
          );
        },
        revokeToken: async ({ refreshToken, user }: OAuth2Server.RefreshToken) => {
          const isFirst = await repository.useRefreshToken(secretHashOf(refreshToken), clock.now());
          return useOnce(isFirst, user as StoredToken);
        },
        saveToken: async (token, client, user) => ({
          ...token,
          ...(await issue(user as StoredToken)),
          client,
          user,
        }),
      },
    });
  };

  const withCredentials = async (authorization: string | undefined, form: Parameters) => {
    const credentials = readClientCredentials(authorization, form);
    const client = await authenticate(credentials);
    return { credentials, client };
  };

  return {
    exchange: async (authorization, form, origin) => {
      const { credentials } = await withCredentials(authorization, form);
      const { clientId, clientSecret } = credentials;
      const body = { ...Object.fromEntries(form), client_id: clientId, client_secret: clientSecret };
      const request = new OAuth2Server.Request({
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
        query: {},
        body,
      });
      try {
        const { accessToken, refreshToken = '' } = await serverFor(origin).token(
          request,
          new OAuth2Server.Response(),
        );
        return {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: oauthLifetimes.accessToken / 1000,
          refresh_token: refreshToken,
        };
      } catch (error) {
        throw toOAuthError(error);
      }
    },
    revoke: async (authorization, form, origin) => {
      const { client } = await withCredentials(authorization, form);
      const token = form.get('token');
      if (token === undefined) throw new OAuthRequestError('invalid_request', 'token is missing. Send it.');
      const claims = await tokens.verify(token);
      const now = clock.now();
      const isLive = claims !== undefined && (await sessions.findLive(claims.jti, now)) !== undefined;
      const ofSession = isLive ? await repository.grantOfSession(claims.jti, client.clientId) : undefined;
      const refresh = await repository.findRefreshToken(secretHashOf(token));
      const ofRefresh = refresh?.clientId === client.clientId ? refresh : undefined;
      const grant = ofSession ?? ofRefresh;
      if (grant !== undefined) await revokeGrant(grant, 'by the application', origin);
    },
  };
};
