import { createHash } from 'node:crypto';
import { pageStyle } from './page-style.ts';

/** Finished HTML, as opposed to text that must still be escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '');

type Part = string | Html | readonly Html[] | undefined;

const render = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string') return escape(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('');
};

/** A template tag that escapes every value except the HTML that it made itself. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => `${text}${render(parts[index])}`).join(''));

/** A page with its security policy. */
export interface Page {
  html: string;
  /** The header Content-Security-Policy. */
  policy: string;
}

/** Must be byte-equal to the text whose hash is in the policy. */
const style = new Html(`<style>${pageStyle}</style>`);
const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/**
 * @param target an address outside this server that forms of the page may redirect to: browsers apply the policy to
 * redirects too
 */
export const pageOf = (title: string, body: Html, target?: string): Page => ({
  policy: [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${target === undefined ? '' : ` ${new URL(target).origin}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  html: html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} – Redoubt</title>
        ${style}
      </head>
      <body>
        <div class="frame">
          <p class="brand">
            <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
              <path
                d="M2 18V4h3.5v3h3V4h3v3h3V4H18v14zM8 18v-5.5a2 2 0 0 1 4 0V18"
                fill="none"
                stroke="currentColor"
                stroke-width="1.5"
                stroke-linejoin="round"
              /></svg
            >Redoubt
          </p>
          <main>${body}</main>
        </div>
      </body>
    </html> `.text,
});

export const hiddenFields = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
  );
