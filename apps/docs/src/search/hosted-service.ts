import { searchClient, type SearchResponse } from '@algolia/client-search';
import { type AddressRules, resultAddress } from './result-address.ts';
import type { Piece, SearchHit, SearchService, SearchSettings } from './search-service.ts';

const levels = ['lvl0', 'lvl1', 'lvl2', 'lvl3', 'lvl4', 'lvl5', 'lvl6'] as const;

interface Shown {
  readonly value?: string;
}

/** A hit of an index made by the crawler of DocSearch. */
interface HostedHit {
  readonly objectID: string;
  readonly url: string;
  readonly hierarchy?: Partial<Record<(typeof levels)[number], string | null>>;
  readonly content?: string | null;
  readonly _highlightResult?: { readonly hierarchy?: Partial<Record<(typeof levels)[number], Shown>> };
  readonly _snippetResult?: { readonly content?: Shown };
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#039;': "'",
  '&#x27;': "'",
};

const decode = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|#039|#x27);/g, (entity) => entities[entity] ?? entity);

/** The service marks matches with tags in HTML-escaped text. The text is never used as HTML here. */
const piecesOf = (marked: string): Piece[] =>
  marked
    .split(/<mark>(.*?)<\/mark>/s)
    .map((text, place) => ({ text: decode(text), marked: place % 2 === 1 }))
    .filter(({ text }) => text !== '');

const toHit = (hit: HostedHit, rules: AddressRules): SearchHit => {
  const { _highlightResult: highlighted, _snippetResult: snippets } = hit;
  const named = levels.filter((level) => (hit.hierarchy?.[level] ?? '') !== '');
  const names = named.map((level) => decode(hit.hierarchy?.[level] ?? ''));
  const lowest = named.at(-1);
  const marked = lowest === undefined ? undefined : highlighted?.hierarchy?.[lowest]?.value;
  return {
    id: hit.objectID,
    url: resultAddress(hit.url, rules),
    area: names[0] ?? '',
    page: names[1] ?? names[0] ?? '',
    title: piecesOf(marked ?? hit.hierarchy?.[lowest ?? 'lvl0'] ?? hit.url),
    trail: names.slice(2, -1),
    excerpt: piecesOf(snippets?.content?.value ?? hit.content ?? ''),
  };
};

/** The parameters of a request to the hosted service, without the query. */
export interface HostedOptions {
  readonly hosted: NonNullable<SearchSettings['hosted']>;
  /** The language of the pages and the tags of the current versions, for contextual search. */
  readonly context: { readonly language: string; readonly tags: readonly string[] };
  readonly rules: AddressRules;
}

/** Searches an Algolia index made by DocSearch. */
export const createHostedService = ({ hosted, context, rules }: HostedOptions): SearchService => {
  const { appId, apiKey, indexName, contextualSearch } = hosted;
  const client = searchClient(appId, apiKey);
  const facetFilters = [`language:${context.language}`, context.tags.map((tag) => `docusaurus_tag:${tag}`)];
  return {
    provider: 'Algolia',
    prepare: () => Promise.resolve(),
    search: async (query, page, hitsPerPage) => {
      const { results } = await client.search<HostedHit>({
        requests: [
          {
            indexName,
            query,
            page,
            hitsPerPage,
            attributesToRetrieve: ['hierarchy', 'content', 'url'],
            attributesToSnippet: ['content:25'],
            snippetEllipsisText: '…',
            highlightPreTag: '<mark>',
            highlightPostTag: '</mark>',
            ...(contextualSearch ? { facetFilters } : {}),
          },
        ],
      });
      const [answer] = results as SearchResponse<HostedHit>[];
      if (answer === undefined) throw new Error('The search service has sent no results.');
      return {
        hits: answer.hits.map((hit) => toHit(hit, rules)),
        total: answer.nbHits ?? answer.hits.length,
      };
    },
  };
};
