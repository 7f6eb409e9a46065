import Link from '@docusaurus/Link';
import useBaseUrl from '@docusaurus/useBaseUrl';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { forgetRecent, keepRecent, readRecent, type RecentResult } from './recent-searches.ts';
import styles from './search.module.css';
import { countOf, NothingFound, SearchFailed } from './SearchMessages.tsx';
import { optionId, type ResultGroup, type ResultOption, SearchResults } from './SearchResults.tsx';
import type { SearchHit } from './search-service.ts';
import { useSearch } from './use-search.ts';

const shownHits = 24;
const shownOfPage = 4;

const isPage = ({ page, title, trail }: SearchHit): boolean =>
  trail.length === 0 && title.map(({ text }) => text).join('') === page;

/**
 * Groups hits by page, in the order of the best hit of each page. The page's title is the heading, unless one of the
 * hits is the page itself.
 */
const groupByPage = (hits: readonly SearchHit[]): ResultGroup[] =>
  [...Map.groupBy(hits, ({ area, page }) => `${area} ${page}`).values()].flatMap((options) => {
    const [first] = options;
    if (first === undefined) return [];
    const { page, area } = first;
    const names = options.some(isPage) && area !== '' ? { name: area, area: '' } : { name: page, area };
    return [{ ...names, options: options.slice(0, shownOfPage) }];
  });

const recentGroup = (recent: readonly RecentResult[]): ResultGroup[] =>
  recent.length === 0
    ? []
    : [
        {
          name: 'Recent',
          area: '',
          options: recent.map(({ url, page, title }) => ({
            url,
            page,
            title: [{ text: title, marked: false }],
            trail: title === page ? [] : [page],
            excerpt: [],
          })),
        },
      ];

interface Props {
  readonly onClose: () => void;
}

/** The search window. It is open while it is mounted. */
export const SearchWindow = ({ onClose }: Props): ReactNode => {
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const searchPage = useBaseUrl('/search/');
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const [recent, setRecent] = useState(readRecent);
  const { status, answered, answer, provider, retry } = useSearch(query, shownHits);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const empty = query.trim() === '';
  const groups = useMemo(
    () => (empty ? recentGroup(recent) : groupByPage(answer.hits)),
    [empty, recent, answer],
  );
  const options = groups.flatMap((group) => group.options);

  const open = ({ url, page, title }: ResultOption): void => {
    keepRecent({ url, page, title: title.map(({ text }) => text).join('') });
    onClose();
  };

  const choose = (place: number): void => {
    setActive(place);
    document.getElementById(optionId(listId, place))?.scrollIntoView({ block: 'nearest' });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    // In a search field, Escape would only clear the input.
    if (event.key === 'Escape') onClose();
    else if (options.length === 0) return;
    else if (event.key === 'ArrowDown') choose((active + 1) % options.length);
    else if (event.key === 'ArrowUp') choose((active - 1 + options.length) % options.length);
    else if (event.key === 'Enter') {
      const chosen = document.getElementById(optionId(listId, active));
      if (!(chosen instanceof HTMLAnchorElement)) return;
      if (event.ctrlKey || event.metaKey) window.open(chosen.href, '_blank', 'noopener');
      else chosen.click();
    } else return;
    event.preventDefault();
  };

  const failed = status === 'failed';
  const nothing = status === 'found' && options.length === 0 && !empty;
  const told = nothing ? `No results for ${answered}` : `${countOf(answer.total)} for ${answered}`;

  return (
    <dialog
      ref={dialog}
      className={`DocSearch DocSearch-Modal ${styles['window']}`}
      aria-label="Search the documentation"
      onClose={onClose}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles['frame']}>
        <div className={styles['bar']}>
          <input
            className={`DocSearch-Input ${styles['input']}`}
            type="search"
            role="combobox"
            aria-label="Search"
            aria-autocomplete="list"
            aria-expanded={options.length > 0}
            aria-controls={options.length > 0 ? listId : undefined}
            aria-activedescendant={options.length > 0 ? optionId(listId, active) : undefined}
            placeholder="Search pages, API calls, settings and errors"
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={200}
            autoFocus
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={styles['plainButton']} onClick={onClose}>
            Close
          </button>
        </div>
        <div className={styles['body']} aria-busy={status === 'searching'}>
          {failed && <SearchFailed onRetry={retry} />}
          {nothing && <NothingFound query={answered} />}
          {empty && recent.length === 0 && (
            <p className={styles['hint']}>What you open here is listed here the next time.</p>
          )}
          {options.length > 0 && (
            <SearchResults id={listId} groups={groups} active={active} onPoint={setActive} onOpen={open} />
          )}
          {empty && recent.length > 0 && (
            <button
              type="button"
              className={styles['plainButton']}
              onClick={() => {
                forgetRecent();
                setRecent([]);
              }}
            >
              Forget recent results
            </button>
          )}
          {!empty && options.length > 0 && (
            <Link
              className={styles['all'] ?? ''}
              to={`${searchPage}?q=${encodeURIComponent(answered)}`}
              onClick={onClose}
            >
              See all {countOf(answer.total)}
            </Link>
          )}
        </div>
        <div className={styles['foot']}>
          <span className={styles['keys']} aria-hidden="true">
            <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
          </span>
          <span>{provider === undefined ? '' : `Search by ${provider}`}</span>
        </div>
        <p role="status" className={styles['unseen']}>
          {!empty && status === 'found' ? told : ''}
        </p>
      </div>
    </dialog>
  );
};
