import useIsBrowser from '@docusaurus/useIsBrowser';
import { useState, type ReactNode } from 'react';
import styles from './markdown-links.module.css';

type Copying = 'ready' | 'copied' | 'failed';

const words: Record<Copying, string> = {
  ready: 'Copy page',
  copied: 'Copied',
  failed: 'Could not copy',
};

const copyFrom = async (address: string): Promise<Copying> => {
  try {
    const answer = await fetch(address);
    if (!answer.ok) return 'failed';
    await navigator.clipboard.writeText(await answer.text());
    return 'copied';
  } catch {
    return 'failed';
  }
};

/** Links to the Markdown version of a page, with a button that copies it. Without scripts there is only the link. */
export const MarkdownLinks = ({ permalink }: { readonly permalink: string }): ReactNode => {
  const [copying, setCopying] = useState<Copying>('ready');
  const isBrowser = useIsBrowser();
  const address = `${permalink.replace(/\/$/, '')}.md`;
  return (
    <p className={styles.links} data-search="no">
      <a href={address}>View as Markdown</a>
      {isBrowser && (
        <button
          type="button"
          className={styles.copy}
          onClick={() => void copyFrom(address).then(setCopying)}
          onBlur={() => setCopying('ready')}
        >
          <span aria-live="polite">{words[copying]}</span>
        </button>
      )}
    </p>
  );
};
