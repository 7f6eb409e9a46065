import { badField } from '@redoubt/errors';

const usualPath = '/app/';

/** The path as the routes read it; undefined where they cannot. */
const decoded = (pathname: string): string | undefined => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
};

/**
 * Where a browser goes after it has signed in: a path of this server, never another one.
 * @throws 400 for anything else
 */
export const readReturnPath = (sent: string | undefined, publicUrl: string): string => {
  if (sent === undefined) return usualPath;
  const { origin } = new URL(publicUrl);
  const target = URL.canParse(sent, origin) ? new URL(sent, origin) : undefined;
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(sent) && !/[\\#]/.test(sent);
  // What redirects on would take along what stands behind the "#".
  const path = decoded(target?.pathname ?? '');
  const isOnward = path === undefined || /^\/(sso|oauth2)\b/i.test(path);
  if (!isPath || isOnward || target?.origin !== origin) {
    throw badField(
      'returnTo',
      `"${sent}" is no path of this server. Send one that begins with one "/", without "#" and "\\", such as ${usualPath}.`,
    );
  }
  return `${target.pathname}${target.search}`;
};
