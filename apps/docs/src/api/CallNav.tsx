import { useHistory } from '@docusaurus/router';
import Link from '@docusaurus/Link';
import useBaseUrl from '@docusaurus/useBaseUrl';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './api.module.css';
import { findCalls } from './find-calls.ts';
import { MethodChip } from './MethodChip.tsx';
import type { ApiIndexSection } from './types.ts';

interface NavProps {
  index: readonly ApiIndexSection[];
  /** The section of the page. */
  current?: string;
}

/** The calls by section, with a search box. The arrow keys move from the box into the list and within it. */
export function CallNav({ index, current }: NavProps): ReactNode {
  const id = useId();
  const history = useHistory();
  const base = useBaseUrl('/api/');
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [isOpen, setOpen] = useState(false);
  const found = findCalls(index, words);
  const count = found.reduce((sum, { calls }) => sum + calls.length, 0);

  const move = (event: KeyboardEvent, step: 1 | -1): void => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('details[open] a') ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    const next = at === -1 && step === -1 ? undefined : links[at + step];
    event.preventDefault();
    (next ?? input.current)?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') move(event, 1);
    if (event.key === 'ArrowUp') move(event, -1);
    if (event.key === 'Escape' && words !== '') {
      setWords('');
      input.current?.focus();
    }
  };
  const goToFirst = (event: KeyboardEvent): void => {
    const [section] = found;
    const call = section?.calls[0];
    if (event.key !== 'Enter' || words === '' || section === undefined || call === undefined) return;
    history.push(`${base}${section.slug}/#${call.id}`);
  };

  return (
    <nav className={styles.nav} aria-label="Calls of the API" onKeyDown={press}>
      <button
        type="button"
        className={`${styles.button} ${styles.navToggle}`}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        onClick={() => setOpen((wasOpen) => !wasOpen)}
      >
        {isOpen ? 'Close the list of calls' : 'All calls'}
      </button>
      <div id={`${id}-list`} className={isOpen ? styles.navBody : `${styles.navBody} ${styles.navClosed}`}>
        <label className={styles.label} htmlFor={id}>
          Find a call
        </label>
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="search"
          placeholder="name, path or word"
          autoComplete="off"
          spellCheck={false}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={goToFirst}
        />
        <p className={styles.count} role="status">
          {words === '' ? `${count} calls` : `${count} found`}
        </p>
        <div ref={list}>
          {found.map(({ name, slug, calls }) => (
            <details
              // A section that the reader opened stays open until the search words change.
              key={words === '' ? slug : `${slug} ${words}`}
              open={words !== '' || slug === current}
              className={styles.navSection}
            >
              <summary>{name}</summary>
              <ul>
                {calls.map((call) => (
                  <li key={call.id}>
                    <Link to={`/api/${slug}/#${call.id}`} onClick={() => setOpen(false)}>
                      <MethodChip method={call.method} /> {call.summary}
                    </Link>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </div>
        {count === 0 && (
          <p className={styles.hint}>
            No call has all these words.{' '}
            <button type="button" className={styles.linkButton} onClick={() => setWords('')}>
              Show all
            </button>
          </p>
        )}
      </div>
    </nav>
  );
}
