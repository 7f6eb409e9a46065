import { useDoc } from '@docusaurus/plugin-content-docs/client';
import Footer from '@theme-original/DocItem/Footer';
import type { ReactNode } from 'react';
import { MarkdownLinks } from '../../../components/markdown-links/markdown-links.tsx';

/** The footer of a page links to its Markdown version. */
export default function DocItemFooter(): ReactNode {
  const { metadata } = useDoc();
  return (
    <>
      <Footer />
      <MarkdownLinks permalink={metadata.permalink} />
    </>
  );
}
