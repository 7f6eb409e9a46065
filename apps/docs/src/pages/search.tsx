import Head from '@docusaurus/Head';
import Link from '@docusaurus/Link';
import { PageMetadata, useSearchQueryString } from '@docusaurus/theme-common';
import Heading from '@theme/Heading';
import Layout from '@theme/Layout';
import { type ReactNode, useEffect, useState } from 'react';
import { Pieces } from '../search/Pieces.tsx';
import styles from '../search/search.module.css';
import { countOf, NothingFound, SearchFailed } from '../search/SearchMessages.tsx';
import type { SearchHit } from '../search/search-service.ts';
import { useSearch } from '../search/use-search.ts';

const hitsPerPage = 15;

const Found = ({ hit }: { readonly hit: SearchHit }): ReactNode => {
  const { url, area, page, trail, title, excerpt } = hit;
  const isPage = title.map(({ text }) => text).join('') === page;
  const path = [area, ...(isPage ? [] : [page]), ...trail].filter(
    (name, place, all) => name !== '' && all.indexOf(name) === place,
  );
  return (
    <li>
      <h2>
        <Link to={url}>
          <Pieces of={title} />
        </Link>
      </h2>
      <p className={styles['told']}>{path.join(' › ')}</p>
      {excerpt.length > 0 && (
        <p>
          <Pieces of={excerpt} />
        </p>
      )}
    </li>
  );
};

/** The text of the search field. It follows the query in the address, and typing changes both. */
function useQuery(): [string, (text: string) => void] {
  const [query, changeQuery] = useSearchQueryString();
  const [text, setText] = useState('');
  useEffect(() => setText((before) => (before.trim() === query ? before : query)), [query]);
  return [
    text,
    (next) => {
      setText(next);
      changeQuery(next.trim());
    },
  ];
}

const SearchContent = (): ReactNode => {
  const [query, setQuery] = useQuery();
  const [pages, setPages] = useState(1);
  const { status, answered, answer, provider, retry } = useSearch(query, pages * hitsPerPage);
  const { hits, total } = answer;
  const heading = query.trim() === '' ? 'Search the documentation' : `Search results for “${query.trim()}”`;
  const empty = query.trim() === '';
  const found = !empty && hits.length > 0;
  const nothing = status === 'found' && !found && !empty;

  return (
    <>
      <PageMetadata
        title={heading}
        description="Search the pages of the documentation and the calls of the API."
      />
      <Head>
        <meta name="robots" content="noindex, follow" />
      </Head>
      <main className={`container margin-vert--lg ${styles['page']}`}>
        <Heading as="h1">{heading}</Heading>
        <form role="search" className={styles['pageForm']} onSubmit={(event) => event.preventDefault()}>
          <input
            className={styles['input']}
            type="search"
            name="q"
            aria-label="Search"
            placeholder="Search pages, API calls, settings and errors"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={query}
            onChange={(event) => {
              setPages(1);
              setQuery(event.target.value);
            }}
          />
        </form>
        <noscript>
          <p>The search needs JavaScript. Every page is in the menu of the documentation.</p>
        </noscript>
        {/* Read out alone where the message below says the same in sight. */}
        <p role="status" className={styles[nothing ? 'unseen' : 'told']}>
          {found &&
            `${countOf(total)} for “${answered}”${hits.length < total ? `; the first ${hits.length} are shown` : ''}`}
          {nothing && `No results for “${answered}”`}
          {empty && 'Searches the pages of this documentation and the calls of the API.'}
        </p>
        {status === 'failed' && <SearchFailed onRetry={retry} />}
        {nothing && <NothingFound query={answered} />}
        {found && (
          <ol className={styles['found']}>
            {hits.map((hit) => (
              <Found key={hit.id} hit={hit} />
            ))}
          </ol>
        )}
        {found && hits.length < total && (
          <button type="button" className={styles['plainButton']} onClick={() => setPages(pages + 1)}>
            Show more results
          </button>
        )}
        {found && (
          <p className={`margin-top--lg ${styles['told']}`}>
            {provider === undefined
              ? 'The search covers the pages of this documentation and the calls of the API. It runs in this browser.'
              : `Searched was the index of this documentation. Search by ${provider}.`}
          </p>
        )}
      </main>
    </>
  );
};

/** The page of search results. The parameter `q` of its address is the query. */
export default function SearchPage(): ReactNode {
  return (
    <Layout>
      <SearchContent />
    </Layout>
  );
}
