import Layout from '@theme/Layout';
import type { ReactNode } from 'react';
import styles from './api.module.css';
import { CallNav } from './CallNav.tsx';
import type { ApiIndexSection } from './types.ts';

interface PageProps {
  title: string;
  description: string;
  index: readonly ApiIndexSection[];
  current?: string;
  children: ReactNode;
}

/** The layout of all pages of the reference: the list of calls beside the content. */
export function ApiPage({ title, description, index, current, children }: PageProps): ReactNode {
  return (
    <Layout title={title} description={description}>
      <div className={styles.shell}>
        <CallNav index={index} {...(current === undefined ? {} : { current })} />
        <main className={styles.main}>{children}</main>
      </div>
    </Layout>
  );
}
