import { RedoubtError } from '@redoubt/errors';

/** The page of the console that shows why a sign-in failed. */
const signInPage = '/login';

/**
 * The errors that the sign-in page can show. The URL only names one of them and the page has its text, so that a forged
 * URL cannot make the page show other text.
 */
export type SignInProblem = 'expired' | 'refused' | 'unavailable' | 'not-available';

export const signInProblemUrl = (
  problem: SignInProblem,
  publicUrl: string,
  returnTo = signInPage,
): string => {
  const url = new URL(returnTo, publicUrl);
  url.searchParams.set('error', problem);
  return url.href;
};

/** Whether a sign-in returns to the console's sign-in page, which shows its errors. */
export const returnsToConsole = (returnTo: string): boolean => /^\/login(\?|$)/.test(returnTo);

/**
 * Returns what the sign-in page shows for an error of the API.
 * @param isAtStart whether the browser has not been at the provider yet
 * @throws the error itself if a person can do nothing about it
 */
export const signInProblemOf = (error: unknown, isAtStart: boolean): SignInProblem => {
  if (!(error instanceof RedoubtError)) throw error;
  if (error.name === 'HttpClientError') return 'unavailable';
  return error.name === 'AuthError' && !isAtStart ? 'refused' : 'not-available';
};
