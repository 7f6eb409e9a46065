import Head from '@docusaurus/Head';
import type { FallbackParams } from '@docusaurus/ErrorBoundary';
import Original from '@theme-original/ErrorPageContent';
import type { ReactNode } from 'react';

/** The page shown after a crash. The title of the window says so as well. */
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
