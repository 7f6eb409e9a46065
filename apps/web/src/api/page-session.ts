/** The session that this page names in each call. It lives in memory: after a reload `/me` tells it again. */
let sessionId: string | undefined;

export const currentSession = (): string | undefined => sessionId;

export const setSessionId = (id: string | undefined): void => {
  sessionId = id;
};

export const invitationPath = '/app/invite';
export const signInPath = '/login';

/** The pages of links in mails. They work for everyone who has the link, whoever is signed in. */
export const mailPages = ['/reset-password', '/verify-email', '/change-email'] as const;
export type MailPage = (typeof mailPages)[number];

/** The page of a link in a mail that the browser is at. */
export const currentMailPage = (): MailPage | undefined =>
  mailPages.find((page) => page === location.pathname);

let empty = (): void => undefined;
let isEnded = false;

/** Sets what takes everything off the page before it ends. */
export const onPageEnd = (listener: () => void): void => {
  empty = listener;
};

/**
 * Takes everything off the page and loads the console anew, without the address: it holds values that only the person who
 * was here may see.
 */
export const endPage = (mark = ''): void => {
  if (isEnded) return;
  isEnded = true;
  empty();
  // The address of an invitation is for the person who accepts it.
  if (location.pathname === invitationPath) location.reload();
  else location.replace(`/app/${mark}`);
};

const expiredMark = '#expired';

/** Whether this page was loaded because the session before was over. The mark leaves the address at once. */
const takeExpiredMark = (): boolean => {
  if (location.hash !== expiredMark) return false;
  history.replaceState(history.state, '', location.pathname);
  return true;
};
export const wasSessionExpired = takeExpiredMark();

const pages = new BroadcastChannel('redoubt-session');

pages.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // It would lose its token, which is no longer in the address.
  if (currentMailPage() !== undefined) return;
  if (sessionId === undefined) location.reload();
  else if (data === sessionId || data === null) endPage();
});

/** Tells the other pages of this browser that a session has changed; without one, that somebody has signed in. */
export const tellOtherPages = (changed: string | undefined): void => pages.postMessage(changed ?? null);

/** Ends this page and the others of its session, which the server no longer knows, and says so to the person. */
export const expireSession = (): void => {
  tellOtherPages(sessionId);
  endPage(expiredMark);
};

/** Ends this page and the others of its session, which the person left. */
export const endSession = (): void => {
  tellOtherPages(sessionId);
  endPage();
};
