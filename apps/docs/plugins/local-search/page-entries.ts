import { DomUtils, parseDocument } from 'htmlparser2';
import type { SearchEntry } from '../../src/search/local-index.ts';

type Document = ReturnType<typeof parseDocument>;
type ChildNode = Document['children'][number];
type Element = Extract<ChildNode, { attribs: object }>;

const { isTag, isText } = DomUtils;

/** Maximum number of characters of an entry. A longer section has several entries. */
const chunkLength = 600;

/** Maximum number of characters that are indexed of a section. */
const sectionLength = 2400;

const skippedTags = new Set([
  'nav',
  'footer',
  'button',
  'script',
  'style',
  'svg',
  'pre',
  'form',
  'aside',
  'noscript',
]);
const blocks = new Set([
  'p',
  'li',
  'td',
  'th',
  'tr',
  'dd',
  'dt',
  'div',
  'section',
  'blockquote',
  'summary',
  'details',
]);

const hasClass = (element: Element, name: string): boolean =>
  (element.attribs['class'] ?? '').split(/\s+/).includes(name);

/**
 * The maximum number of columns of an indexed table. Wider tables are grids of yes, no and statuses, and would match
 * every search for one of these.
 */
const searchedColumns = 8;

const isGrid = (element: Element): boolean => {
  if (element.name !== 'table') return false;
  const head = DomUtils.findOne(({ name }) => name === 'tr', element.children, true);
  return (head?.children.filter(isTag).length ?? 0) > searchedColumns;
};

const isSkipped = (element: Element): boolean =>
  skippedTags.has(element.name) ||
  isGrid(element) ||
  hasClass(element, 'hash-link') ||
  hasClass(element, 'theme-doc-toc-mobile') ||
  hasClass(element, 'theme-doc-version-badge') ||
  element.attribs['aria-hidden'] === 'true' ||
  element.attribs['data-search'] === 'no';

const tidy = (text: string): string => text.replaceAll(/[\s\u200B]+/g, ' ').trim();

const textOf = (node: ChildNode): string => {
  if (isText(node)) return node.data;
  if (!isTag(node) || isSkipped(node)) return '';
  const inner = node.children.map(textOf).join('');
  return blocks.has(node.name) ? ` ${inner} ` : inner;
};

interface Section {
  readonly hash: string;
  readonly headings: readonly string[];
  text: string;
}

/** The sections of an article in order. The first is the text before any heading. */
const sectionsOf = (article: Element): Section[] => {
  const sections: Section[] = [{ hash: '', headings: [], text: '' }];
  const visit = (node: ChildNode): void => {
    const current = sections.at(-1);
    if (current === undefined) return;
    if (isText(node)) {
      current.text += node.data;
      return;
    }
    if (!isTag(node) || isSkipped(node) || node.name === 'h1') return;
    const id = node.attribs['id'];
    if (/^h[23]$/.test(node.name) && id !== undefined) {
      const heading = tidy(textOf(node));
      const above = node.name === 'h3' ? current.headings.slice(0, 1) : [];
      sections.push({ hash: `#${id}`, headings: [...above, heading], text: '' });
      return;
    }
    if (blocks.has(node.name)) current.text += ' ';
    for (const child of node.children) visit(child);
    if (blocks.has(node.name)) (sections.at(-1) ?? current).text += ' ';
  };
  for (const child of article.children) visit(child);
  return sections;
};

/** Splits a long text into parts of about equal length, between words. */
const chunksOf = (text: string): string[] => {
  const chunks: string[] = [];
  let rest = text.slice(0, sectionLength);
  while (rest.length > chunkLength) {
    const space = rest.lastIndexOf(' ', chunkLength);
    const end = space > 0 ? space : chunkLength;
    chunks.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return [...chunks, rest];
};

const find = (document: Document, test: (element: Element) => boolean): Element | null =>
  DomUtils.findOne(test, document.children, true);

const metaOf = (document: Document, name: string): string =>
  find(document, (element) => element.name === 'meta' && element.attribs['name'] === name)?.attribs[
    'content'
  ] ?? '';

/** The category in the sidebar: the first breadcrumb, unless it is the page itself. */
const areaOf = (document: Document): string | undefined => {
  const crumbs = find(document, (element) => hasClass(element, 'theme-doc-breadcrumbs'));
  const items =
    crumbs === null ? [] : DomUtils.findAll((element) => hasClass(element, 'breadcrumbs__link'), [crumbs]);
  const names = items.map((item) => tidy(textOf(item))).filter((name) => name !== '');
  return names.length > 1 ? names[0] : undefined;
};

const lastSegment = (url: string): string => url.split('/').findLast((segment) => segment !== '') ?? '';

/**
 * The search entries of a built page, without ids. Empty for a page with `noindex`. The words of the page's description
 * and address belong to its start, so that a search for its purpose finds it.
 */
export const pageEntries = (html: string, url: string): Omit<SearchEntry, 'id'>[] => {
  const document = parseDocument(html);
  if (metaOf(document, 'robots').includes('noindex')) return [];
  const article =
    find(document, ({ name }) => name === 'article') ?? find(document, ({ name }) => name === 'main');
  const title = find(document, ({ name }) => name === 'h1') ?? find(document, ({ name }) => name === 'title');
  if (article === null || title === null) return [];
  const page = tidy(textOf(title));
  const area = areaOf(document) ?? (url.includes('/docs/') ? 'Documentation' : page);
  const keywords = [metaOf(document, 'keywords'), lastSegment(url)].filter((text) => text !== '').join(',');
  return sectionsOf(article).flatMap(({ hash, headings, text }) => {
    const told = hash === '' ? tidy(`${metaOf(document, 'description')} ${text}`) : tidy(text);
    return chunksOf(told).map((chunk) => ({
      url: `${url}${hash}`,
      page,
      area,
      headings,
      text: chunk,
      ...(hash === '' ? { keywords } : {}),
    }));
  });
};
