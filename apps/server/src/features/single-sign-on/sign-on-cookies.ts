/** The cookies of a sign-in in a browser. Scripts do not read them, and other sites do not send them along. */
export interface SignOnCookies {
  /** @param seconds until it is gone; 0 removes it */
  set(name: CookieName, value: string, seconds: number): string;
  /** @param header what the browser sent as `Cookie` */
  get(name: CookieName, header: string | undefined): string | undefined;
}

/** `begun`: what the login remembers for the callback. `code`: the other half of the code that the callback gives. */
export type CookieName = 'begun' | 'code';

export const createSignOnCookies = (publicUrl: () => string): SignOnCookies => {
  const isSecure = (): boolean => publicUrl().startsWith('https:');
  // A name with this prefix cannot be set by neighbouring hosts.
  const nameOf = (name: CookieName): string => `${isSecure() ? '__Host-' : ''}redoubt-sso-${name}`;
  return {
    set: (name, value, seconds) =>
      `${nameOf(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`,
    get: (name, header = '') => {
      const sent = header.split(';').map((part) => part.trim());
      const found = sent.filter((part) => part.startsWith(`${nameOf(name)}=`));
      // Of two with one name somebody else has set one.
      return found.length === 1 ? found[0]?.slice(nameOf(name).length + 1) : undefined;
    },
  };
};
