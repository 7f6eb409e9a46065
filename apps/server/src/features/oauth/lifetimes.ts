const minute = 60 * 1000;

/** Lifetimes in milliseconds. */
export const oauthLifetimes = {
  /** Of a page, from sign-in to decision. */
  page: 10 * minute,
  code: minute,
  accessToken: 60 * minute,
  refreshToken: 30 * 24 * 60 * minute,
} as const;
