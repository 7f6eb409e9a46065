import type { LucideIcon } from 'lucide-react';

/** Where an action stands in the palette and in the list of shortcuts. */
export type ActionGroup = 'console' | 'dataset' | 'go' | 'page';

/** Something a person can do: an entry of the palette, of a menu, or both, with its shortcut. */
export interface Action {
  /** Unique, such as `datasets.create`. */
  readonly id: string;
  readonly group: ActionGroup;
  readonly title: string;
  /** Other words that people type for it. */
  readonly words?: string;
  /** A key or a sequence of keys, such as `g d`, `?` or `Mod+k` (Control, on a Mac Command). */
  readonly keys?: string;
  readonly icon?: LucideIcon;
  readonly run: () => void;
}
