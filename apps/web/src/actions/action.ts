import type { Icon } from '@redoubt/ui/icons';

/** The group of an action in the palette and in the list of shortcuts. */
export type ActionGroup = 'console' | 'dataset' | 'go' | 'page';

/** An action of the console, with its shortcut. The palette, a menu or both list it. */
export interface Action {
  /** Unique, such as `datasets.create`. */
  readonly id: string;
  readonly group: ActionGroup;
  readonly title: string;
  /** Further words by which the palette finds the action. */
  readonly words?: string;
  /** A key or a sequence of keys, such as `g d`, `?` or `Mod+k`. `Mod` is Control, or Command on a Mac. */
  readonly keys?: string;
  readonly icon?: Icon;
  readonly run: () => void;
}
