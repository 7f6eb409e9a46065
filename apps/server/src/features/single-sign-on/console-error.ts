import { RedoubtError } from '@redoubt/errors';

/** The page of the console that shows why a sign-in failed. */
const signInPage = '/login';

/** What a sign-in page is told of an error. The page has a text for each, so that no address can put words into it. */
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
 * What the page shows instead of an error of the API.
 * @param isAtStart whether the browser has not been at the provider yet
 * @throws the error if it is none that a person can do something about
 */
export const signInProblemOf = (error: unknown, isAtStart: boolean): SignInProblem => {
  if (!(error instanceof RedoubtError)) throw error;
  if (error.name === 'HttpClientError') return 'unavailable';
  return error.name === 'AuthError' && !isAtStart ? 'refused' : 'not-available';
};
