import { Search } from '@redoubt/ui/icons';
import type { RefObject } from 'react';
import { usePageActions } from '../../../actions/page-actions.ts';

/** Whether a pressed key goes to an input, because the focus is in it. */
export const isTyping = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Moves the focus to the search when somebody presses "/" anywhere on the page. */
export const useSlashKey = (field: RefObject<HTMLInputElement | null>): void =>
  usePageActions([
    {
      id: 'records.search',
      title: 'Search these records',
      keys: '/',
      icon: Search,
      run: () => field.current?.focus(),
    },
  ]);
