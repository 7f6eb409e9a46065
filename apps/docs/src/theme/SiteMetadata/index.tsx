import Head from '@docusaurus/Head';
import useDocusaurusContext from '@docusaurus/useDocusaurusContext';
import mono from '@fontsource/roboto-mono/files/roboto-mono-latin-400-normal.woff2';
import regular from '@fontsource/roboto/files/roboto-latin-400-normal.woff2';
import medium from '@fontsource/roboto/files/roboto-latin-500-normal.woff2';
import SiteMetadata from '@theme-original/SiteMetadata';
import type { ReactNode } from 'react';

/** The head of every page. Fonts used everywhere are preloaded, before the styles are read. */
export default function SiteMetadataWithFonts(): ReactNode {
  const { siteConfig } = useDocusaurusContext();
  const ownFonts = siteConfig.stylesheets.length === 0;
  return (
    <>
      <SiteMetadata />
      {ownFonts && (
        <Head>
          {[regular, medium, mono].map((font) => (
            <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
          ))}
        </Head>
      )}
    </>
  );
}
