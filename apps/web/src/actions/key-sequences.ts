/**
 * The name of a pressed key in `Action.keys`, such as `Mod+k` for Control or Command with k.
 * @returns undefined for modifiers alone and for combinations that no shortcut uses
 */
export const keyOf = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'key' | 'metaKey' | 'shiftKey'>): string | undefined => {
  if (key === 'Enter' && !altKey && (ctrlKey || metaKey)) return shiftKey ? 'Mod+Shift+Enter' : 'Mod+Enter';
  if (altKey || key.length !== 1 || key === ' ') return undefined;
  return ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key;
};

/** Whether a shortcut needs no modifier, so that a person can type it by accident or by voice. */
export const isSingleKey = (keys: string): boolean => !keys.startsWith('Mod+');

interface Step {
  /** The keys so far of a sequence that is not complete; empty if there is none. */
  readonly pending: string;
  /** The sequence that the key completes. */
  readonly match?: string;
}

/** Adds a key to the pending keys. A key that continues no sequence may begin one. */
export const advance = (pending: string, key: string, sequences: readonly string[]): Step => {
  const candidate = pending === '' ? key : `${pending} ${key}`;
  if (sequences.includes(candidate)) return { pending: '', match: candidate };
  if (sequences.some((sequence) => sequence.startsWith(`${candidate} `))) return { pending: candidate };
  return pending === '' ? { pending: '' } : advance('', key, sequences);
};

/** The keys of a shortcut as the keyboard names them, one text for each key. */
export const printKeys = (keys: string, isMac: boolean): readonly string[] =>
  keys
    .split(' ')
    .flatMap((key) => (key === '+' ? [key] : key.split('+')))
    .map((key) => (key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key));

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
