/** A form of a page, with its hidden and prefilled fields. */
export interface PageForm {
  action: string;
  fields: Record<string, string>;
}

/** What a browser without scripts sees after a request. */
export interface RenderedPage {
  status: number;
  headers: Headers;
  html: string;
  /** The target of a redirect, which the browser does not follow. */
  location: string | undefined;
  forms: PageForm[];
}

/** A browser without scripts. It keeps cookies and submits the forms of its current page. */
export interface FormBrowser {
  open(path: string, headers?: Record<string, string>): Promise<RenderedPage>;
  /** Submits a form with typed values or a chosen button. */
  submit(form: PageForm | undefined, typed: Record<string, string>): Promise<RenderedPage>;
  /** The cookies in the form in which the browser sends them. */
  cookies(): string;
}

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : decoded(value);
};

const formsOf = (html: string): PageForm[] =>
  [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, tag = '', inside = '']) => ({
    action: attribute(tag, 'action') ?? '',
    fields: Object.fromEntries(
      [...inside.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
        attribute(input, 'name') ?? '',
        attribute(input, 'value') ?? '',
      ]),
    ),
  }));

/** Creates a browser without cookies. Paths are relative to `url`, the address of the server. */
export const createFormBrowser = ({ url }: { url: string }): FormBrowser => {
  const jar = new Map<string, string>();
  const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (
    path: string,
    init: RequestInit,
    headers: Record<string, string>,
  ): Promise<RenderedPage> => {
    const response = await fetch(new URL(path, url), {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(jar.size === 0 ? {} : { cookie: cookies() }), ...headers },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const html = await response.text();
    const location = response.headers.get('location') ?? undefined;
    return { status: response.status, headers: response.headers, html, location, forms: formsOf(html) };
  };
  return {
    cookies,
    open: (path, headers = {}) => send(path, {}, headers),
    submit: (form, typed) =>
      send(
        form?.action ?? '',
        { method: 'POST', body: new URLSearchParams({ ...form?.fields, ...typed }) },
        { 'sec-fetch-site': 'same-origin' },
      ),
  };
};
