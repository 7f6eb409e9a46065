import Link from '@docusaurus/Link';
import Heading from '@theme/Heading';
import Layout from '@theme/Layout';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { ConsolePicture } from '../components/console-picture/console-picture.tsx';
import { RequestPath } from '../components/diagrams/index.tsx';
import { SameSearch } from '../home/SameSearch.tsx';
import styles from '../home/home.module.css';

const steps = [
  {
    name: 'Get the folder',
    code: 'git clone <repository> redoubt',
    says: 'Clone it, or unpack the archive. You need Node.js and npm, and nothing else.',
  },
  {
    name: 'Start it',
    code: 'npm run up',
    says: 'Databases are embedded. The server, this documentation and the API are on one port.',
  },
  {
    name: 'Check it',
    code: 'npm test',
    says: 'Tests every promise on your machine, with and without hidden records.',
  },
] as const;

const waysIn = [
  {
    to: '/docs/category/quickstart/',
    name: 'Quickstart',
    says: 'Sign up, add people, give them attributes, and see what each of them sees.',
  },
  {
    to: '/docs/getting-started/how-it-works/',
    name: 'How it works',
    says: 'Three pictures: a request, groups and attributes, one machine and many.',
  },
  {
    to: '/docs/getting-started/what-is-zero-trust/',
    name: 'Zero trust',
    says: 'The promise made to every reader, its exceptions, and what it doesn’t protect against.',
  },
  {
    to: '/api/',
    name: 'API',
    says: 'Every call with its fields, answers and errors, in curl, TypeScript and Python. Try each in the browser.',
  },
  {
    to: '/docs/category/reference/',
    name: 'SQL, Lucene and labels',
    says: 'The functions and operators of PostgreSQL’s dialect with examples, the search language, and the label grammar.',
  },
  {
    to: '/docs/category/operations/',
    name: 'Operations',
    says: 'Deploy, secure, back up, upgrade and monitor a server of your own.',
  },
];

/** The home page: what Redoubt is, how to get it, one example, and links into the documentation. */
export default function Home(): ReactNode {
  return (
    <Layout
      title="Self-hosted data platform with record-level security"
      description="Redoubt is a self-hosted data platform with record-level security, SQL and search. Nobody sees a record whose label they don't satisfy."
    >
      <main className={styles.page}>
        <header className={styles.head}>
          <p className={styles.category}>
            Self-hosted data platform with record-level security, SQL and search
          </p>
          <Heading as="h1">One dataset. Each reader sees only their part of it.</Heading>
          <p>
            Put a label such as <code>SECRET&amp;(EU|UK)</code> on a record, and only people who hold these
            attributes see it. Administrators are no exception. Everyone queries the same dataset in SQL,
            Lucene or REST, and no total, schema, search or error tells them that other records exist.
          </p>
          <p className={styles.start}>
            <Link className={clsx(styles.primary)} to="/docs/getting-started/five-minutes/">
              Start in five minutes
            </Link>
            <Link to="/docs/getting-started/install/">Install</Link>
            <Link to="/docs/getting-started/how-it-works/">How it works</Link>
          </p>
        </header>
        <SameSearch />
        <section aria-labelledby="console">
          <Heading as="h2" id="console">
            A console for everyone
          </Heading>
          <p className={styles.intro}>
            Import files, search, write SQL and decide who may see what, in the browser. Every page shows only
            what the person may see.
          </p>
          <ConsolePicture
            path="/img/console/records"
            alt="The records of a dataset in the console, filtered and sorted, with their labels"
          />
        </section>
        <section aria-labelledby="get-it">
          <Heading as="h2" id="get-it">
            Run it on your own machine
          </Heading>
          <ol className={styles.steps}>
            {steps.map(({ name, code, says }) => (
              <li key={name}>
                <strong>{name}</strong>
                <code>{code}</code>
                <span>{says}</span>
              </li>
            ))}
          </ol>
          <p className={styles.aside}>
            <Link to="/docs/getting-started/install/">What you need, step by step</Link>
          </p>
        </section>
        <section aria-labelledby="request">
          <Heading as="h2" id="request">
            Labels are checked before anything else
          </Heading>
          <RequestPath />
          <p className={styles.aside}>
            The check isn’t a filter on top of a finished answer. The engine drops hidden records first, and
            everything else works with the records that are left.{' '}
            <Link to="/docs/getting-started/how-it-works/">See how</Link>
          </p>
        </section>
        <nav aria-labelledby="ways-in">
          <Heading as="h2" id="ways-in">
            Read on
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
