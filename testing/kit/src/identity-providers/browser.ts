/** A browser for sign-ins. It follows redirects one by one, and keeps cookies by host and port. */
export interface TestBrowser {
  /** Requests an address and does not follow its redirect. */
  visit(url: string): Promise<{ status: number; location: string | undefined; text: string }>;
  /**
   * Requests an address and follows its redirects.
   * @param until returns true for the address to stop at, which is not requested any more
   */
  follow(url: string, until: (url: URL) => boolean): Promise<{ url: URL; status: number; text: string }>;
  /** The header `Cookie` that the browser sends to an address. */
  cookiesFor(url: string): string;
}

const hops = 20;

/** Creates a browser without cookies. */
export const createTestBrowser = (): TestBrowser => {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string): Map<string, string> => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  const cookiesFor = (url: string): string =>
    [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  const visit: TestBrowser['visit'] = async (url) => {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookiesFor(url) } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jarOf(url).delete(name);
      else jarOf(url).set(name, value);
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location, url).href,
      text: await response.text(),
    };
  };
  return {
    visit,
    cookiesFor,
    follow: async (start, until) => {
      let url = start;
      for (let hop = 0; hop < hops; hop += 1) {
        if (until(new URL(url))) return { url: new URL(url), status: 0, text: '' };
        const { status, location, text } = await visit(url);
        if (location === undefined) return { url: new URL(url), status, text };
        url = location;
      }
      throw new Error(`More than ${hops} redirects from ${start}`);
    },
  };
};
