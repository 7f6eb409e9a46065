import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch';
import { essenceOf, synonymsOf, termsOf, wordsAndParts, wordsOfQuery } from './words.ts';

/** The name of the file of the index, at the root of the site. */
export const indexFile = 'search-index.json';

/** A searchable part of a page: its start, a section, or one call of the API. */
export interface SearchEntry {
  readonly id: number;
  /** The path, with the hash of the section if it has one. */
  readonly url: string;
  /** The title of the page. */
  readonly page: string;
  /** The category in the sidebar. */
  readonly area: string;
  /** The headings above the text, from the outermost. Empty at the start of the page. */
  readonly headings: readonly string[];
  readonly text: string;
  /** Search terms for this page, as comma-separated lists. */
  readonly keywords?: string;
}

/** The fields of an entry that are stored for display. */
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

/** Joins the headings into one text for indexing. It is not stored in the index. */
const indexOptions: Options<SearchEntry> = {
  fields: ['title', 'keywords', 'heading', 'context', 'text'],
  storeFields: ['url', 'page', 'area', 'headings', 'text', 'keywords'],
  extractField: valueOf,
  tokenize: wordsAndParts,
  processTerm: termsOf,
};

/** Builds the index and returns the content of its file. */
export const writeIndex = (entries: readonly SearchEntry[]): string => {
  const index = new MiniSearch<SearchEntry>(indexOptions);
  index.addAll(entries);
  return JSON.stringify(index);
};

/** Loads the index in small steps, so that the page stays responsive. */
export const readIndex = (text: string): Promise<MiniSearch<SearchEntry>> =>
  MiniSearch.loadJSONAsync<SearchEntry>(text, indexOptions);

const phrase = (words: readonly string[], weight: number): Query => ({
  combineWith: 'AND',
  queries: words.map((word) => ({ combineWith: 'OR', queries: termsOf(word), boostDocument: () => weight })),
});

/** A word matches itself, its stem, words that begin with it, similar spellings and synonyms. */
const anyFormOf = (word: string): Query => ({
  combineWith: 'OR',
  queries: [...termsOf(word), ...synonymsOf(word).map((words) => phrase(words, 0.6))],
});

/**
 * Weights by path. Pages that explain come first: the API reference mentions everything many times, old release notes
 * mention everything once, and overview pages explain nothing.
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

/** The share of a name that the search has matched, in any spelling: all of "What is a dataset" for "datset". */
const coverage = (name: string, found: readonly string[]): number => {
  const telling = wordsOfQuery(name);
  return share(telling, found.join(' '));
};

/** Whether the query is one of the keywords of the page. A keyword counts more than any number of matching words. */
const isNamed = (keywords: string | undefined, query: string): boolean => {
  const asked = essenceOf(query);
  return keywords?.split(',').some((keyword) => essenceOf(keyword) === asked) ?? false;
};

/** The order: exact titles and keywords, then titles with all words, then headings with all words, then text. */
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
 * The entries for a query, best first, one for each address. If no entry contains all words, entries with any of them
 * are returned.
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
