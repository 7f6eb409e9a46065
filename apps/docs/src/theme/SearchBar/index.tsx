import { SearchWindow } from '../../search/SearchWindow.tsx';
import { useSearchService } from '../../search/use-search-service.ts';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import styles from './styles.module.css';

const isTyping = (event: KeyboardEvent): boolean => {
  const [element] = event.composedPath();
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName))
  );
};

const isShortcut = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';

const isSlash = (event: KeyboardEvent): boolean =>
  event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event);

/** The search button of the navbar. Ctrl/Cmd+K and the slash key open the search window too. */
export default function SearchBar(): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [apple, setApple] = useState(false);
  const loadService = useSearchService();

  const prepare = useCallback(() => {
    // A failure is shown when the reader searches, which also retries.
    loadService()
      .then((service) => service.prepare())
      .catch(() => undefined);
  }, [loadService]);

  const close = useCallback(() => {
    setOpen(false);
    // The browser restores the focus. If nothing had it, it goes to the button.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    });
  }, []);

  useEffect(() => setApple(/Mac|iPhone|iPad/.test(navigator.platform)), []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      if (isShortcut(event)) {
        event.preventDefault();
        if (open) close();
        else setOpen(true);
      } else if (!open && isSlash(event)) {
        event.preventDefault();
        setOpen(true);
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [open, close]);

  useEffect(() => {
    if (open) prepare();
  }, [open, prepare]);

  return (
    <>
      <button
        ref={button}
        type="button"
        className={`DocSearch DocSearch-Button ${styles['button']}`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onFocus={prepare}
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <path d="m10.5 10.5 3.5 3.5" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
        <span className={styles['label']}>Search</span>
        <kbd className={styles['keys']} aria-hidden="true">
          {apple ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </button>
      {open && <SearchWindow onClose={close} />}
    </>
  );
}
