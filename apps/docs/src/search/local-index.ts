import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch';
import { essenceOf, synonymsOf, termsOf, wordsAndParts, wordsOfQuery } from './words.ts';

/** The name of the file of the index, at the root of the site. */
export const indexFile = 'search-index.json';

/** A part of a page that can be found: its start, a section, or one call of the API. */
export interface SearchEntry {
  readonly id: number;
  /** Path and, below the start of a page, hash. */
  readonly url: string;
  /** The title of the page. */
  readonly page: string;
  /** The part of the site, as the sidebar names it. */
  readonly area: string;
  /** The headings above the text within the page, from the outermost; none at its start. */
  readonly headings: readonly string[];
  readonly text: string;
  /** What readers type who want this page, in lists parted by commas. */
  readonly keywords?: string;
}

/** What is kept of an entry for showing it. */
export type FoundEntry = SearchEntry;

const valueOf = (entry: SearchEntry, field: string): unknown => {
  const atStart = entry.headings.length === 0;
  switch (field) {
    case 'title':
      return atStart ? entry.page : undefined;
    case 'heading':
      return entry.headings.at(-1);
    case 'context':
      return atStart ? undefined : [entry.page, ...entry.headings.slice(0, -1)].join(' ');
    default:
      return entry[field as keyof SearchEntry];
  }
};

/** One text for those who write the index and those who read it, as it is not kept in the index. */
const indexOptions: Options<SearchEntry> = {
  fields: ['title', 'keywords', 'heading', 'context', 'text'],
  storeFields: ['url', 'page', 'area', 'headings', 'text', 'keywords'],
  extractField: valueOf,
  tokenize: wordsAndParts,
  processTerm: termsOf,
};

/** The index of all entries as the text of its file. */
export const writeIndex = (entries: readonly SearchEntry[]): string => {
  const index = new MiniSearch<SearchEntry>(indexOptions);
  index.addAll(entries);
  return JSON.stringify(index);
};

/** Reads the text of the file in small steps, so that the page stays responsive. */
export const readIndex = (text: string): Promise<MiniSearch<SearchEntry>> =>
  MiniSearch.loadJSONAsync<SearchEntry>(text, indexOptions);

const phrase = (words: readonly string[], weight: number): Query => ({
  combineWith: 'AND',
  queries: words.map((word) => ({ combineWith: 'OR', queries: termsOf(word), boostDocument: () => weight })),
});

/** A word is found by itself, its stem, what starts with it, what is spelled nearly so, and what means the same. */
const anyFormOf = (word: string): Query => ({
  combineWith: 'OR',
  queries: [...termsOf(word), ...synonymsOf(word).map((words) => phrase(words, 0.6))],
});

/**
 * Pages that explain come first. The reference of the API names everything many times, old release notes name
 * everything once, and pages that only list others explain nothing.
 */
const weights: readonly (readonly [RegExp, number])[] = [
  [/\/api\//, 0.4],
  [/\/category\//, 0.35],
  [/release-notes\//, 0.1],
];

const weightOf = (url: string): number => weights.find(([pattern]) => pattern.test(url))?.[1] ?? 1;

const share = (wanted: readonly string[], text: string): number => {
  const words = new Set(wordsAndParts(text).flatMap(termsOf));
  return wanted.filter((word) => termsOf(word).some((term) => words.has(term))).length / wanted.length;
};

/** How much of a name the search has found, in whatever spelling: all of "What is a dataset" for "datset". */
const coverage = (name: string, found: readonly string[]): number => {
  const telling = wordsOfQuery(name);
  return share(telling, found.join(' '));
};

/** Whether the author of the page has named this very query: they know better than any count of words. */
const isNamed = (keywords: string | undefined, query: string): boolean => {
  const asked = essenceOf(query);
  return keywords?.split(',').some((keyword) => essenceOf(keyword) === asked) ?? false;
};

/** Exact titles and keywords first, then titles with all the words, then headings with all of them, then text. */
const rankOf = (found: FoundEntry & SearchResult, query: string, words: readonly string[]): number => {
  const { page, headings, url, score, terms, keywords } = found;
  const heading = headings.at(-1);
  const name = heading ?? page;
  const top = heading === undefined;
  const titled = essenceOf(name) === essenceOf(query) ? (top ? 8 : 4) : 1;
  const exact = isNamed(keywords, query) ? 20 : titled;
  const complete = share(words, name) === 1 ? (top ? 2.5 : 1.6) : 1;
  return score * weightOf(url) * exact * complete * (1 + coverage(name, terms));
};

/**
 * The entries for a query, best first, one for each address. Entries with all of its words come alone; when there are
 * none, those with any of them.
 */
export const searchIndex = (index: MiniSearch<SearchEntry>, query: string): FoundEntry[] => {
  const words = wordsOfQuery(query);
  if (words.length === 0) return [];
  const last = words.at(-1);
  const find = (combineWith: 'AND' | 'OR') =>
    index.search(
      { combineWith, queries: words.map(anyFormOf) },
      {
        boost: { title: 6, keywords: 5, heading: 3, context: 1.2, text: 1 },
        tokenize: (text) => [text],
        processTerm: (term) => term,
        prefix: (term) => term.length > 2 || term === last,
        fuzzy: (term) => (term.length > 3 ? 0.2 : false),
        maxFuzzy: 2,
        weights: { fuzzy: 0.35, prefix: 0.5 },
      },
    ) as (FoundEntry & SearchResult)[];
  const withAll = find('AND');
  const found = withAll.length > 0 ? withAll : find('OR');
  const ranked = found
    .map((entry) => ({ entry, rank: rankOf(entry, query, words) }))
    .toSorted((one, other) => other.rank - one.rank);
  const seen = new Set<string>();
  return ranked.flatMap(({ entry }) => {
    if (seen.has(entry.url)) return [];
    seen.add(entry.url);
    return [entry];
  });
};
