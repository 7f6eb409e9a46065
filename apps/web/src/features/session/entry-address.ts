import { currentMailPage, signInPath } from '../../api/page-session.ts';

export const isSignInPage = (): boolean => location.pathname === signInPath;

const isEntryPage = isSignInPage() || currentMailPage() !== undefined;

/**
 * Removes the secret of a link from the address at once, so that neither the history nor a copied address contains it.
 * @returns the secret, or an empty text
 */
const takeFragment = (): string => {
  if (!isEntryPage) return '';
  const fragment = location.hash.slice(1);
  if (location.hash !== '') history.replaceState(null, '', `${location.pathname}${location.search}`);
  // Opening another link to this page changes only the fragment, so the page must be reloaded.
  addEventListener('hashchange', () => location.reload());
  return fragment;
};

const fragment = takeFragment();

/** The token of the link in a mail; empty if the page was opened without one. */
export const mailToken = fragment;

/**
 * The code with which a sign-in returns from an identity provider. It is valid once, and only together with a cookie
 * that scripts cannot read.
 */
export interface ReturnedSignIn {
  strategy: string;
  code: string;
}

const readReturnedSignIn = (): ReturnedSignIn | undefined => {
  const returned = new URLSearchParams(isSignInPage() ? fragment : '');
  const [strategy, code] = [returned.get('strategy'), returned.get('code')];
  return strategy === null || code === null ? undefined : { strategy, code };
};

export const returnedSignIn = readReturnedSignIn();

/**
 * The parameters of the sign-in page. Anybody can write such an address, so the code that uses a parameter must
 * validate it.
 */
export const readSignInAddress = (): { next: string; workspaceId: string; error: string } => {
  const search = new URLSearchParams(isSignInPage() ? location.search : '');
  const [next = '', workspaceId = '', error = ''] = ['next', 'workspaceId', 'error'].map(
    (name) => search.get(name) ?? undefined,
  );
  return { next, workspaceId, error };
};

/** Whether the page was opened by a sign-in that returns from a provider, whether it succeeded or not. */
export const isReturnFromProvider = returnedSignIn !== undefined || readSignInAddress().error !== '';
