import type { FallbackParams } from '@docusaurus/ErrorBoundary';
import ErrorPageContent from '@theme/ErrorPageContent';
import siteConfig from '@generated/docusaurus.config';
import type { ReactNode } from 'react';

/** The page of an error outside the content, in the navbar for instance: without the layout, which is likely to be what failed. */
export default function Error(props: FallbackParams): ReactNode {
  return (
    <>
      <nav className="navbar">
        <a className="navbar__brand" href={siteConfig.baseUrl}>
          {siteConfig.title}
        </a>
      </nav>
      <ErrorPageContent {...props} />
    </>
  );
}
