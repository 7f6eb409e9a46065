import type { FallbackParams } from '@docusaurus/ErrorBoundary';
import ErrorPageContent from '@theme/ErrorPageContent';
import siteConfig from '@generated/docusaurus.config';
import type { ReactNode } from 'react';

/**
 * The page for an error outside the content, such as in the navbar. It has no layout, since the layout may be what
 * failed.
 */
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
