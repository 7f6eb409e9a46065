import { Parser } from 'htmlparser2';
import { createHash } from 'node:crypto';

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const hashes = (texts: Iterable<string>): string[] => [...new Set(texts)].map(hashOf).toSorted();

const scriptTypes = new Set(['', 'module', 'text/javascript']);

/** The hashes of the inline scripts and styles of a page, for its content security policy. */
export interface InlineHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The list for the text of an element. Data blocks are not scripts, so the policy need not allow them. */
const listOf = (name: string, attributes: Record<string, string>): keyof InlineHashes | undefined => {
  if (name === 'style') return 'styles';
  const isCode = scriptTypes.has((attributes['type'] ?? '').toLowerCase());
  return name === 'script' && isCode && attributes['src'] === undefined ? 'scripts' : undefined;
};

/**
 * Returns the SHA-256 hashes of all inline scripts, `style` elements and `style` attributes of a page, each once, in
 * the form that a content security policy takes.
 */
export const inlineHashes = (html: string): InlineHashes => {
  const texts = { scripts: [] as string[], styles: [] as string[] };
  let open: { list: keyof InlineHashes; text: string } | undefined;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (attributes['style'] !== undefined) texts.styles.push(attributes['style']);
      const list = listOf(name, attributes);
      open = list && { list, text: '' };
    },
    ontext: (text) => {
      if (open !== undefined) open.text += text;
    },
    onclosetag: () => {
      if (open !== undefined) texts[open.list].push(open.text);
      open = undefined;
    },
  });
  parser.end(html);
  return { scripts: hashes(texts.scripts), styles: hashes(texts.styles) };
};
