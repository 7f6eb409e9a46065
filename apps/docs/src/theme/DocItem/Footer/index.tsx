import { useDoc } from '@docusaurus/plugin-content-docs/client';
import Footer from '@theme-original/DocItem/Footer';
import type { ReactNode } from 'react';
import { MarkdownLinks } from '../../../components/markdown-links/markdown-links.tsx';

/** The foot of a doc page leads to the same page as Markdown. */
export default function DocItemFooter(): ReactNode {
  const { metadata } = useDoc();
  return (
    <>
      <Footer />
      <MarkdownLinks permalink={metadata.permalink} />
    </>
  );
}
