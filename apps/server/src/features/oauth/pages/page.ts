import { createHash } from 'node:crypto';
import { pageStyle } from './page-style.ts';

/** HTML that has been made, as opposed to text that is still to be escaped. */
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

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '');

type Part = string | Html | readonly Html[] | undefined;

const written = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('');
};

/** Whatever is put in is escaped, unless it was made by this function itself. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => `${text}${written(parts[index])}`).join(''));

/** A page as it is sent. */
export interface Page {
  html: string;
  /** The header Content-Security-Policy. */
  policy: string;
}

/** To the letter as the policy has it. */
const style = new Html(`<style>${pageStyle}</style>`);
const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/**
 * @param target where forms of the page may lead in the end, beside this server: browsers ask the policy about
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

/** The fields of a form that people do not see. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
  );
