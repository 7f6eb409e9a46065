import type { Action, ActionGroup } from '../../actions/action.ts';
import { matchActions } from '../../actions/match-actions.ts';

export type PaletteGroup = ActionGroup | 'recent';

export interface PaletteEntry extends Omit<Action, 'group'> {
  readonly group: PaletteGroup;
}

const order: readonly PaletteGroup[] = ['recent', 'page', 'dataset', 'go', 'console'];
/** The maximum number of entries of each group before something is typed. */
const shownAtFirst = { recent: 5, page: 20, dataset: 5, go: 20, console: 10 } as const;
const maxEntries = 50;

/**
 * The entries of the palette: the matching actions by group, with recent ones first.
 * @param recent the ids of the actions that were run, the latest first
 */
export const listEntries = (
  actions: readonly Action[],
  recent: readonly string[],
  text: string,
): { entries: readonly PaletteEntry[]; left: number } => {
  const isTyped = text.trim() !== '';
  const grouped = actions.map((action): PaletteEntry => ({
    ...action,
    group: recent.includes(action.id) ? 'recent' : action.group,
  }));
  const found = matchActions(grouped, text).toSorted((one, other) => {
    const byGroup = order.indexOf(one.group) - order.indexOf(other.group);
    return byGroup === 0 && one.group === 'recent'
      ? recent.indexOf(one.id) - recent.indexOf(other.id)
      : byGroup;
  });
  const counts = new Map<PaletteGroup, number>();
  const entries = found
    .filter(({ group }) => {
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      return isTyped || count <= shownAtFirst[group];
    })
    .slice(0, maxEntries);
  return { entries, left: isTyped ? found.length - entries.length : 0 };
};
