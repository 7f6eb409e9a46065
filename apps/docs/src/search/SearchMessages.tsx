import type { ReactNode } from 'react';
import styles from './search.module.css';

/** Shown when the search failed: no network, no index, or no response of the hosted service. */
export const SearchFailed = ({ onRetry }: { readonly onRetry: () => void }): ReactNode => (
  <div className={styles['message']} role="alert">
    <p className={styles['messageTitle']}>Unable to fetch results</p>
    <p>You might want to check your network connection.</p>
    <button type="button" className={styles['plainButton']} onClick={onRetry}>
      Try again
    </button>
  </div>
);

/** Shown when there are no results. */
export const NothingFound = ({ query }: { readonly query: string }): ReactNode => (
  <div className={styles['message']}>
    <p className={styles['messageTitle']}>No results for “{query}”</p>
    <p>
      Check the spelling, or try fewer or more general words, such as the name of a page, a call or an error.
    </p>
  </div>
);

/** The number of results as text. */
export const countOf = (total: number): string => (total === 1 ? '1 result' : `${total} results`);
