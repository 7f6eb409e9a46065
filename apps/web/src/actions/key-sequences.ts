/** A key as actions name it: `Mod+k` with Control or Command; undefined for modifiers alone and other combinations. */
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

/** Whether keys are characters alone, which a person can type by accident or by voice. */
export const isSingleKey = (keys: string): boolean => !keys.startsWith('Mod+');

interface Step {
  /** The keys that may become a sequence. */
  readonly pending: string;
  /** The complete sequence. */
  readonly match?: string;
}

/** What a key means after those that are pending. A key that continues no sequence may begin one. */
export const advance = (pending: string, key: string, sequences: readonly string[]): Step => {
  const candidate = pending === '' ? key : `${pending} ${key}`;
  if (sequences.includes(candidate)) return { pending: '', match: candidate };
  if (sequences.some((sequence) => sequence.startsWith(`${candidate} `))) return { pending: candidate };
  return pending === '' ? { pending: '' } : advance('', key, sequences);
};

/** The keys of a shortcut, one text for each, as they are printed on the keyboard. */
export const printKeys = (keys: string, isMac: boolean): readonly string[] =>
  keys
    .split(' ')
    .flatMap((key) => (key === '+' ? [key] : key.split('+')))
    .map((key) => (key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key));

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
