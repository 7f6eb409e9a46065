import { useHistory } from '@docusaurus/router';
import { useNavbarMobileSidebar } from '@docusaurus/theme-common/internal';
import Original from '@theme-original/Navbar/MobileSidebar/Layout';
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import styles from './styles.module.css';

/** Marks the history entry of an open sidebar, so that Back closes the sidebar and stays on the page. */
const mark = 'sidebar';

const historyState = (): Record<string, unknown> =>
  (globalThis.history.state ?? {}) as Record<string, unknown>;

function useHistoryEntry(shown: boolean): void {
  useEffect(() => {
    if (!shown) return undefined;
    globalThis.history.pushState({ ...historyState(), [mark]: true }, '');
    return () => {
      // The entry is already gone after Back, and after a link of the sidebar it belongs to the new page.
      if (historyState()[mark] === true) globalThis.history.back();
    };
  }, [shown]);
}

const focusable = 'a[href], button:not([disabled]), input, select, textarea, [tabindex="0"]';

const stopsOf = (frame: HTMLElement): HTMLElement[] =>
  [...frame.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.closest('[inert]') === null && element.checkVisibility(),
  );

/** The address of a page of this site that a plain click on a link opens. Undefined for all other clicks. */
function pageOf(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = (event.target as Element).closest('a');
  const href = link?.getAttribute('href');
  return link?.target === '' && href?.startsWith('/') ? href : undefined;
}

/**
 * The sidebar of narrow windows as a modal dialog: it traps the focus, closes with Escape and Back, and then restores
 * the focus.
 */
export default function MobileSidebarLayout(props: ComponentProps<typeof Original>): ReactNode {
  const { shown, toggle } = useNavbarMobileSidebar();
  const history = useHistory();
  const frame = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  useHistoryEntry(shown);

  useLayoutEffect(() => {
    if (!shown) return undefined;
    opener.current = document.activeElement;
    const close = frame.current?.querySelector<HTMLElement>('.navbar-sidebar__close');
    close?.focus({ preventScroll: true });
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        toggle();
        return;
      }
      if (event.key !== 'Tab' || frame.current === null) return;
      const stops = stopsOf(frame.current);
      const edge = event.shiftKey ? stops[0] : stops.at(-1);
      if (document.activeElement !== edge && frame.current.contains(document.activeElement)) return;
      event.preventDefault();
      (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shown, toggle]);

  // A separate effect, because React restores the focus itself while it changes the page.
  useEffect(() => {
    if (!shown && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }, [shown]);

  const onClickCapture = (event: MouseEvent): void => {
    const page = pageOf(event);
    if (page === undefined) return;
    // A plain link would add a history entry, and Back would return to the entry of the sidebar.
    event.preventDefault();
    history.replace(page);
  };

  const dialog = shown ? { role: 'dialog', 'aria-modal': true, 'aria-label': 'Navigation' } : {};
  return (
    <div ref={frame} className={styles.frame} onClickCapture={onClickCapture} {...dialog}>
      <Original {...props} />
    </div>
  );
}
