const minute = 60 * 1000;

/** Milliseconds for which things of OAuth are good. */
export const oauthLifetimes = {
  /** Of a page, from signing in to deciding. */
  page: 10 * minute,
  code: minute,
  accessToken: 60 * minute,
  refreshToken: 30 * 24 * 60 * minute,
} as const;
