import Link from '@docusaurus/Link';
import Heading from '@theme/Heading';
import Layout from '@theme/Layout';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { SameSearch } from '../home/SameSearch.tsx';
import styles from '../home/home.module.css';

const waysIn = [
  {
    to: '/docs/category/quickstart/',
    name: 'Quickstart',
    says: 'Sign up, add people, give them attributes, and see what each of them sees.',
  },
  {
    to: '/docs/getting-started/what-is-zero-trust/',
    name: 'Zero trust',
    says: 'The rule that holds for every reader, its exceptions, and what it does not protect against.',
  },
  {
    to: '/api/',
    name: 'API',
    says: 'Every call with its fields, answers and errors, in curl, TypeScript and Python.',
  },
  {
    to: '/docs/category/reference/',
    name: 'SQL, Lucene and labels',
    says: 'What can be asked, in PostgreSQL’s dialect or Lucene’s, and how labels are written.',
  },
  {
    to: '/docs/category/operations/',
    name: 'Operations',
    says: 'Install, secure, back up, upgrade and watch a server of your own.',
  },
];

/** The first page: what Redoubt is, one example, and the ways in. */
export default function Home(): ReactNode {
  return (
    <Layout
      title="Data that answers each reader differently"
      description="Redoubt is a self-hosted data platform in which nobody sees a record whose label they do not satisfy."
    >
      <main className={styles.page}>
        <header className={styles.head}>
          <Heading as="h1">One dataset. Each reader sees only their part of it.</Heading>
          <p>
            Redoubt keeps records in datasets, and every record can carry a label such as{' '}
            <code>A&amp;(B|C)</code>. A reader gets a record only if the attributes given to them satisfy its
            label. Administrators are no exception. Totals, schemas, searches, pages and errors tell nobody
            that other records exist. It runs on your own machine, and answers SQL, Lucene and a REST API.
          </p>
          <p className={styles.start}>
            <Link className={clsx(styles.primary)} to="/docs/category/quickstart/">
              Start in five minutes
            </Link>
            <code>npm run up -- --demo</code>
          </p>
        </header>
        <SameSearch />
        <nav aria-labelledby="ways-in">
          <Heading as="h2" id="ways-in">
            Ways in
          </Heading>
          <ul className={styles.ways}>
            {waysIn.map(({ to, name, says }) => (
              <li key={to}>
                <Link to={to}>{name}</Link>
                <span>{says}</span>
              </li>
            ))}
          </ul>
        </nav>
      </main>
    </Layout>
  );
}
