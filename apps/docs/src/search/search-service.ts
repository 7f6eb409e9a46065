/** A piece of text. Marked pieces match the query. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** One hit of a search. */
export interface SearchHit {
  readonly id: string;
  /** A path of this site, or the full address of another site. */
  readonly url: string;
  /** The title of the page. Results are grouped by it. */
  readonly page: string;
  /** The category, such as "Datasets". */
  readonly area: string;
  readonly title: readonly Piece[];
  /** The headings between the page's title and the hit. */
  readonly trail: readonly string[];
  readonly excerpt: readonly Piece[];
}

/** A page of results. `total` is the number of all results. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly total: number;
}

/** The service behind the search window and the search page. */
export interface SearchService {
  /** The name of the provider, shown below the results. Undefined for the site's own index. */
  readonly provider?: string;
  /** Loads what a search needs. Repeated calls are allowed. */
  prepare(): Promise<void>;
  /** Searches. Rejects if there is no response. `page` starts at 0. */
  search(query: string, page: number, hitsPerPage: number): Promise<SearchAnswer>;
}

/** The search settings of the site. */
export interface SearchSettings {
  /** The hosted service. If absent, the index built with the site is used. */
  readonly hosted?:
    | {
        readonly appId: string;
        readonly apiKey: string;
        readonly indexName: string;
        /** Whether results are limited to the current language and versions. */
        readonly contextualSearch: boolean;
      }
    | undefined;
  /** A replacement within the path of results of this site; `from` is a regular expression. */
  readonly replace?: { readonly from: string; readonly to: string } | undefined;
}
