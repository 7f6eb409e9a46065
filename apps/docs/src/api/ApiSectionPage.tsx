import Link from '@docusaurus/Link';
import Heading from '@theme/Heading';
import type { ReactNode } from 'react';
import styles from './api.module.css';
import { ApiPage } from './ApiPage.tsx';
import { Call } from './Call.tsx';
import { ConnectionBar } from './ConnectionBar.tsx';
import { InlineText } from './InlineText.tsx';
import type { ApiIndexSection, ApiSection } from './types.ts';
import { useConnection } from './use-connection.ts';

/** The calls of one tag. */
export default function ApiSectionPage({
  index,
  section,
}: {
  index: readonly ApiIndexSection[];
  section: ApiSection;
}): ReactNode {
  const { state, connection } = useConnection();
  const { name, slug, description, operations, schemas } = section;
  return (
    <ApiPage title={`${name} · API`} description={description} index={index} current={slug}>
      <header className={styles.head}>
        <p className={styles.crumb}>
          <Link to="/api/">API</Link>
        </p>
        <Heading as="h1">{name}</Heading>
        <p className={styles.lead}>
          <InlineText text={description} />
        </p>
        <ConnectionBar state={state} connection={connection} />
      </header>
      {operations.map((operation) => (
        <Call
          key={operation.id}
          operation={operation}
          schemas={schemas}
          state={state}
          connection={connection}
        />
      ))}
    </ApiPage>
  );
}
