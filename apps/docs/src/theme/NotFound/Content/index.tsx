import Link from '@docusaurus/Link';
import { PageMetadata } from '@docusaurus/theme-common';
import { useLocation } from '@docusaurus/router';
import useIsBrowser from '@docusaurus/useIsBrowser';
import Heading from '@theme/Heading';
import type { ReactNode } from 'react';
import styles from './styles.module.css';

/** The search words of a path: `/docs/datasets/abac-labels/` gives `abac labels`. */
function wordsOf(pathname: string): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last)
      .replace(/\.\w+$/, '')
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  } catch {
    return '';
  }
}

/** The page for unknown addresses: it shows the requested path, and links to other pages. */
export default function NotFoundContent(): ReactNode {
  const { pathname } = useLocation();
  // The host serves the same file for every unknown path, so only a browser knows the path.
  const asked = useIsBrowser() ? pathname : undefined;
  const words = asked === undefined ? '' : wordsOf(asked);
  return (
    <main className={`container ${styles.page}`}>
      {/* Here, not around it: below /docs/ it stands in the frame of the documentation. */}
      <PageMetadata title="Page Not Found" />
      <Heading as="h1">Page not found</Heading>
      <p>
        {asked === undefined ? (
          'There is no page at this address.'
        ) : (
          <>
            There is no page at <code>{asked}</code>.
          </>
        )}{' '}
        It may have moved, or the link that brought you here is misspelt.
      </p>
      <ul className={styles.ways}>
        {words !== '' && (
          <li>
            <Link to={`/search/?q=${encodeURIComponent(words)}`}>Search the documentation for “{words}”</Link>
          </li>
        )}
        <li>
          <Link to="/docs/intro/">Start at the introduction</Link>
        </li>
        <li>
          <Link to="/api/">Look a call of the API up</Link>
        </li>
        <li>
          <Link to="/docs/handling-error-codes/">Look an error up by its name</Link>
        </li>
      </ul>
      <p className={styles.aside}>
        Did a call to the API bring you here? Ask for JSON (<code>Accept: application/json</code>) to get its
        error instead of this page.
      </p>
    </main>
  );
}
