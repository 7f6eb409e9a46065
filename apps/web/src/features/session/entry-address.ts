import { currentMailPage, signInPath } from '../../api/page-session.ts';

export const isSignInPage = (): boolean => location.pathname === signInPath;

const isEntryPage = isSignInPage() || currentMailPage() !== undefined;

/** Takes the secret of a link out of the address at once: neither the history nor a copied address has it then. */
const takeFragment = (): string => {
  if (!isEntryPage) return '';
  const fragment = location.hash.slice(1);
  if (location.hash !== '') history.replaceState(null, '', `${location.pathname}${location.search}`);
  // Another link to the page that is open only changes the fragment.
  addEventListener('hashchange', () => location.reload());
  return fragment;
};

const fragment = takeFragment();

/** The token of a link in a mail; empty without one. */
export const mailToken = fragment;

/** What an identity provider's sign-in came back with. It works once, and only with a cookie that scripts cannot read. */
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

/** The parameters of the sign-in page. Anybody can write such an address, so each is checked where it is used. */
export const readSignInAddress = (): { next: string; workspaceId: string; error: string } => {
  const search = new URLSearchParams(isSignInPage() ? location.search : '');
  const [next = '', workspaceId = '', error = ''] = ['next', 'workspaceId', 'error'].map(
    (name) => search.get(name) ?? undefined,
  );
  return { next, workspaceId, error };
};
