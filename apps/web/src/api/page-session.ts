/**
 * The id of the session that this page sends with each request. It is only in memory: after a reload `GET /me` returns
 * it.
 */
let sessionId: string | undefined;

export const currentSession = (): string | undefined => sessionId;

export const setSessionId = (id: string | undefined): void => {
  sessionId = id;
};

export const invitationPath = '/app/invite';
export const signInPath = '/login';

/** The pages that links in mails lead to. They work for everyone who has the link, also while another person is signed in. */
export const mailPages = ['/reset-password', '/verify-email', '/change-email'] as const;
export type MailPage = (typeof mailPages)[number];

/** The current page, if it is one that links in mails lead to. */
export const currentMailPage = (): MailPage | undefined =>
  mailPages.find((page) => page === location.pathname);

let empty = (): void => undefined;
let isEnded = false;

/** Sets the function that removes all content from the page before it ends. */
export const onPageEnd = (listener: () => void): void => {
  empty = listener;
};

/**
 * Removes all content from the page and loads the console again. The address is dropped, because it contains values
 * that only the previous person may see.
 * @param mark a fragment for the new address
 */
export const endPage = (mark = ''): void => {
  if (isEnded) return;
  isEnded = true;
  empty();
  // The address of an invitation is meant for the person who accepts it, so it is kept.
  if (location.pathname === invitationPath) location.reload();
  else location.replace(`/app/${mark}`);
};

const expiredMark = '#expired';

/** Whether this page was loaded because the previous session had expired. Removes the mark from the address at once. */
const takeExpiredMark = (): boolean => {
  if (location.hash !== expiredMark) return false;
  history.replaceState(history.state, '', location.pathname);
  return true;
};
export const wasSessionExpired = takeExpiredMark();

const pages = new BroadcastChannel('redoubt-session');

pages.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // Reloading would lose the token of the link, which is no longer in the address.
  if (currentMailPage() !== undefined) return;
  if (sessionId === undefined) location.reload();
  else if (data === sessionId || data === null) endPage();
});

/**
 * Tells the other pages of this browser that a session has changed.
 * @param changed the session; undefined if somebody has signed in
 */
export const tellOtherPages = (changed: string | undefined): void => pages.postMessage(changed ?? null);

/** Ends this page and all others of its session after the session has expired, and tells the person so. */
export const expireSession = (): void => {
  tellOtherPages(sessionId);
  endPage(expiredMark);
};

/** Ends this page and all others of its session after signing out. */
export const endSession = (): void => {
  tellOtherPages(sessionId);
  endPage();
};
