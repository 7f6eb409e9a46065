/** The cookies of a sign-in in a browser. Scripts cannot read them, and requests of other sites do not include them. */
export interface SignOnCookies {
  /** @param seconds its lifetime; 0 removes it */
  set(name: CookieName, value: string, seconds: number): string;
  /** @param header the Cookie header of the request */
  get(name: CookieName, header: string | undefined): string | undefined;
}

/** `begun`: the pending sign-in, from the login to the callback. `code`: the second secret of the code from the callback. */
export type CookieName = 'begun' | 'code';

export const createSignOnCookies = (publicUrl: () => string): SignOnCookies => {
  const isSecure = (): boolean => publicUrl().startsWith('https:');
  // Browsers do not let other hosts set a cookie with this prefix.
  const nameOf = (name: CookieName): string => `${isSecure() ? '__Host-' : ''}redoubt-sso-${name}`;
  return {
    set: (name, value, seconds) =>
      `${nameOf(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`,
    get: (name, header = '') => {
      const sent = header.split(';').map((part) => part.trim());
      const found = sent.filter((part) => part.startsWith(`${nameOf(name)}=`));
      // If there are two with the same name, another host has set one of them.
      return found.length === 1 ? found[0]?.slice(nameOf(name).length + 1) : undefined;
    },
  };
};
