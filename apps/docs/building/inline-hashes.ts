import { DomUtils, parseDocument } from 'htmlparser2';
import { createHash } from 'node:crypto';

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const hashes = (texts: readonly string[]): string[] => [...new Set(texts.map(hashOf))].toSorted();

const scriptTypes = new Set(['', 'module', 'text/javascript']);

/** What the inline scripts and styles of a page are recognised by in a content security policy. */
export interface InlineHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Blocks of data are no scripts, and need no leave. */
export const inlineHashes = (html: string): InlineHashes => {
  const elements = DomUtils.filter(DomUtils.isTag, parseDocument(html));
  const textOf = (element: (typeof elements)[number]): string => DomUtils.textContent(element.children);
  const scripts = elements
    .filter(({ name, attribs }) => name === 'script' && attribs['src'] === undefined)
    .filter(({ attribs }) => scriptTypes.has((attribs['type'] ?? '').toLowerCase()))
    .map(textOf);
  const styles = elements.flatMap((element) => [
    ...(element.name === 'style' ? [textOf(element)] : []),
    ...(element.attribs['style'] === undefined ? [] : [element.attribs['style']]),
  ]);
  return { scripts: hashes(scripts), styles: hashes(styles) };
};
