import { useEffect, useRef } from 'react';
import type { Action } from '../../actions/action.ts';
import { advance, isSingleKey, keyOf } from '../../actions/key-sequences.ts';
import { currentPreferences } from '../../preferences/preferences.ts';

/** The longest pause between two keys of a sequence, in milliseconds. */
const maxPause = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;

/** Whether the SQL editor must handle a key itself: it has the current text, which the page gets a little later. */
const isEditorKey = (target: EventTarget | null, key: string): boolean =>
  key !== 'Mod+k' && target instanceof Element && target.closest('.cm-editor') !== null;

/** Whether a dialog or menu is open. It then receives all keys. */
const isOverlayOpen = (): boolean =>
  document.querySelector('.MuiModal-root:not([aria-hidden="true"])') !== null;

/**
 * Runs actions by their shortcuts, wherever the focus is. Shortcuts without Control do nothing while
 * somebody types.
 */
export const useShortcuts = (listActions: () => readonly Action[]): void => {
  const latest = useRef(listActions);
  useEffect(() => {
    latest.current = listActions;
  });
  useEffect(() => {
    let pending = '';
    let pressedAt = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      if (key === undefined || event.defaultPrevented || isOverlayOpen()) return;
      // The SQL editor is in a shadow root, outside of which `target` is only its host.
      const [target = null] = event.composedPath();
      const isSingle = isSingleKey(key);
      if (isSingle && (isTyping(target) || !currentPreferences().hasSingleKeys)) return;
      if (isEditorKey(target, key)) return;
      const actions = latest.current();
      const before = event.timeStamp - pressedAt > maxPause ? '' : pending;
      const step = advance(
        before,
        key,
        actions.flatMap(({ keys }) => (keys === undefined ? [] : [keys])),
      );
      ({ pending } = step);
      pressedAt = event.timeStamp;
      if (step.match === undefined && (pending === '' || !isSingle)) return;
      event.preventDefault();
      event.stopPropagation();
      actions.find(({ keys }) => keys === step.match)?.run();
    };
    // Capturing handles a shortcut before the editors of the page, which have shortcuts of their own.
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
};
