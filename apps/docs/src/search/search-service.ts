/** A piece of text; the marked ones are what the query has found. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** One place that a search has found. */
export interface SearchHit {
  readonly id: string;
  /** Where it leads: a path of this site, or a whole address elsewhere. */
  readonly url: string;
  /** The title of the page, by which results stand together. */
  readonly page: string;
  /** The part of the site, such as "Datasets". */
  readonly area: string;
  readonly title: readonly Piece[];
  /** The headings between the page's title and the place. */
  readonly trail: readonly string[];
  readonly excerpt: readonly Piece[];
}

/** A part of the results; `total` counts all of them. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly total: number;
}

/** Whatever stands behind the search window and the search page. */
export interface SearchService {
  /** Named below the results; undefined when it is the site itself. */
  readonly provider?: string;
  /** Loads what a search needs. It may be called often. */
  prepare(): Promise<void>;
  /** Rejects when no answer is to be had. `page` counts from 0. */
  search(query: string, page: number, hitsPerPage: number): Promise<SearchAnswer>;
}

/** How the site is searched, as its configuration says. */
export interface SearchSettings {
  /** The hosted service; without it the index that is built with the site is searched. */
  readonly hosted?:
    | {
        readonly appId: string;
        readonly apiKey: string;
        readonly indexName: string;
        /** Whether results are of the language and versions alone that the reader looks at. */
        readonly contextualSearch: boolean;
      }
    | undefined;
  /** A replacement within the path of results of this site; `from` is a regular expression. */
  readonly replace?: { readonly from: string; readonly to: string } | undefined;
}
