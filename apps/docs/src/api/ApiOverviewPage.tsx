import Link from '@docusaurus/Link';
import useBrokenLinks from '@docusaurus/useBrokenLinks';
import Heading from '@theme/Heading';
import type { ReactNode } from 'react';
import styles from './api.module.css';
import { ApiPage } from './ApiPage.tsx';
import { ConnectionBar } from './ConnectionBar.tsx';
import { Conventions } from './Conventions.tsx';
import { InlineText } from './InlineText.tsx';
import { MethodChip } from './MethodChip.tsx';
import type { ApiIndexSection } from './types.ts';
import { useConnection } from './use-connection.ts';

function Section({ section }: { section: ApiIndexSection }): ReactNode {
  const { collectAnchor } = useBrokenLinks();
  return (
    <section className={styles.overviewSection}>
      <Heading as="h2" id={section.slug}>
        <Link to={`/api/${section.slug}/`}>{section.name}</Link>
      </Heading>
      <p>
        <InlineText text={section.description} />
      </p>
      <ul className={styles.overviewCalls}>
        {section.calls.map(({ id, method, path, summary }) => {
          collectAnchor(id);
          return (
            <li key={id} id={id}>
              <MethodChip method={method} />
              <Link to={`/api/${section.slug}/#${id}`}>
                <code>{path}</code>
              </Link>
              <span>{summary}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The page `/api/`: the conventions of all calls, and a list of the calls. */
export default function ApiOverviewPage({ index }: { index: readonly ApiIndexSection[] }): ReactNode {
  const { state, connection } = useConnection();
  const count = index.reduce((sum, { calls }) => sum + calls.length, 0);
  const lead = `All ${count} calls of the Redoubt API 4.176.0: parameters, responses and errors of each, with requests and responses recorded from a real server.`;
  return (
    <ApiPage title="API" description={lead} index={index}>
      <header className={styles.head}>
        <Heading as="h1">API</Heading>
        <p className={styles.lead}>{lead}</p>
        <ConnectionBar state={state} connection={connection} />
      </header>
      <Conventions origin={state.origin} />
      {index.map((section) => (
        <Section key={section.slug} section={section} />
      ))}
    </ApiPage>
  );
}
