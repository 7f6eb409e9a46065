/** Paths that only a server of the application answers: its health, and the application itself. */
const applicationPaths = ['/health', '/app/'];

const isAbsent = async (path: string): Promise<boolean> => {
  const answer = await fetch(path, { cache: 'no-store', credentials: 'omit', redirect: 'manual' });
  return answer.status === 404;
};

/**
 * Whether the script of somebody else may run here. On the origin of the application it could read the sessions of its
 * users, so it is loaded only at the origin that the site was built for, and only when this origin says by 404 that
 * nothing of the application is there. Any other answer, and none, is a no.
 */
export const mayLoadChat = async (siteUrl: string): Promise<boolean> => {
  if (window.location.origin !== new URL(siteUrl).origin) return false;
  try {
    return (await Promise.all(applicationPaths.map(isAbsent))).every(Boolean);
  } catch {
    return false;
  }
};
