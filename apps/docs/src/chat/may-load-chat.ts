/** Paths that exist only on a server of the application: its health check, and the application itself. */
const applicationPaths = ['/health', '/app/'];

const isAbsent = async (path: string): Promise<boolean> => {
  const answer = await fetch(path, { cache: 'no-store', credentials: 'omit', redirect: 'manual' });
  return answer.status === 404;
};

/**
 * Whether a third-party script may run here. On the origin of the application it could read the sessions of users. So
 * it is loaded only at the origin that the site was built for, and only if that origin responds with 404 to the paths
 * of the application. Any other response, or none, means no.
 */
export const mayLoadChat = async (siteUrl: string): Promise<boolean> => {
  if (window.location.origin !== new URL(siteUrl).origin) return false;
  try {
    return (await Promise.all(applicationPaths.map(isAbsent))).every(Boolean);
  } catch {
    return false;
  }
};
