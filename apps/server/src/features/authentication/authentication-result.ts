import type { AuthenticationResult } from '@redoubt/contract';
import type { AccessClaims } from '../../platform/auth/tokens.ts';
import type { AccountRow } from './authentication.repository.ts';

export const displayNameOf = ({ firstName, lastName }: Pick<AccountRow, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`;

/** The person's id at an identity provider. */
const idAt = ({ identities }: AccountRow, strategy: string): string | null =>
  identities.find((identity) => identity.strategy === strategy)?.subject ?? null;

/** The response to a sign-in. Properties that the server does not store are null. */
export const authenticationResult = (
  strategy: string,
  { token, claims }: { token: string; claims: AccessClaims },
  account: AccountRow,
): AuthenticationResult => ({
  accessToken: token,
  authentication: {
    accessToken: token,
    payload: {
      email: claims.email,
      exp: claims.exp,
      iat: claims.iat,
      iss: claims.iss,
      jti: claims.jti,
      sub: claims.sub,
    },
    strategy,
  },
  user: {
    avatar: account.hasPicture ? `/users/${account.id}/picture` : null,
    changeEmailTokenExpiration: account.emailChangeUntil?.toISOString() ?? null,
    createdAt: account.createdAt.toISOString(),
    deletedAt: null,
    displayName: displayNameOf(account),
    email: account.email,
    firstName: account.firstName,
    githubId: idAt(account, 'github'),
    googleId: idAt(account, 'google'),
    id: account.id,
    lastName: account.lastName,
    linkedAccounts: [...new Set(account.identities.map((identity) => identity.strategy))],
    microsoftId: idAt(account, 'microsoft'),
    oktaId: idAt(account, 'okta'),
    stripeCustomerId: account.stripeCustomerId,
    updatedAt: account.updatedAt.toISOString(),
    verified: account.verified,
    workspaceCount: account.workspaceCount,
  },
});
