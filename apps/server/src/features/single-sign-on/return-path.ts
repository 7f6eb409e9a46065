import { describeValue, invalidField } from '@redoubt/errors';

const defaultPath = '/app/';

/** Decodes the path as the router does; undefined if that is not possible. */
const decodePath = (pathname: string): string | undefined => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
};

/**
 * Returns the path that the browser is sent to after the sign-in. It is always on this server.
 * @throws RedoubtError 400 for anything else
 */
export const readReturnPath = (sent: string | undefined, publicUrl: string): string => {
  if (sent === undefined) return defaultPath;
  const { origin } = new URL(publicUrl);
  const target = URL.canParse(sent, origin) ? new URL(sent, origin) : undefined;
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(sent) && !/[\\#]/.test(sent);
  // These paths redirect elsewhere, and the browser would keep the fragment with the code.
  const path = decodePath(target?.pathname ?? '');
  const redirectsOn = path === undefined || /^\/(sso|oauth2)\b/i.test(path);
  // Dot segments can leave a path that names another host, such as that of "/.//host/".
  const namesHost = target?.pathname.startsWith('//') === true;
  if (!isPath || redirectsOn || namesHost || target?.origin !== origin) {
    throw invalidField({
      field: 'returnTo',
      expected: 'a path of this server',
      got: describeValue(sent),
      advice: `Send one that begins with one "/", without "#" and "\\", such as ${defaultPath}.`,
    });
  }
  return `${target.pathname}${target.search}`;
};
