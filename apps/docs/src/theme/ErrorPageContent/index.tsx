import Head from '@docusaurus/Head';
import type { FallbackParams } from '@docusaurus/ErrorBoundary';
import Original from '@theme-original/ErrorPageContent';
import type { ReactNode } from 'react';

/** The page of a crash, which says so in the title of the window as well. */
export default function ErrorPageContent(props: FallbackParams): ReactNode {
  return (
    <>
      <Head>
        <title>This page crashed.</title>
      </Head>
      <Original {...props} />
    </>
  );
}
