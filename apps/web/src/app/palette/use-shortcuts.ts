import { useEffect, useRef } from 'react';
import type { Action } from '../../actions/action.ts';
import { advance, isSingleKey, keyOf } from '../../actions/key-sequences.ts';
import { currentPreferences } from '../../preferences/preferences.ts';

/** The longest pause between the keys of a sequence, in milliseconds. */
const maxPause = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;

/** Whether the SQL editor acts on a key itself, on the text of this very moment, which the page knows a little later. */
const isEditorKey = (target: EventTarget | null, key: string): boolean =>
  key !== 'Mod+k' && target instanceof Element && target.closest('.cm-editor') !== null;

/** Whether a dialog or a menu is open, to which all keys belong. */
const isOverlayOpen = (): boolean =>
  document.querySelector('.MuiModal-root:not([aria-hidden="true"])') !== null;

/** Runs actions by their shortcuts, wherever the focus is; those without Control not while one types. */
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
      const isSingle = isSingleKey(key);
      if (isSingle && (isTyping(event.target) || !currentPreferences().hasSingleKeys)) return;
      if (isEditorKey(event.target, key)) return;
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
    // Before the page itself sees the key, since editors have shortcuts of their own.
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
};
