type Token =
  | { kind: 'character'; character: string }
  /** `?`: one character of a name. */
  | { kind: 'one' }
  /** `*`: any characters of a name. */
  | { kind: 'name' }
  /** `**`: any characters, also `/`. */
  | { kind: 'path' }
  /** `**` and `/`: any folders, also none. */
  | { kind: 'folders' };

const parse = (pattern: string): Token[] => {
  const tokens: Token[] = [];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '?') tokens.push({ kind: 'one' });
    else if (character !== '*') tokens.push({ kind: 'character', character });
    else if (characters[at + 1] !== '*') tokens.push({ kind: 'name' });
    else {
      at++;
      const isFolders = characters[at + 1] === '/' && (at < 2 || characters[at - 2] === '/');
      if (isFolders) at++;
      tokens.push({ kind: isFolders ? 'folders' : 'path' });
    }
  }
  return tokens;
};

/** Characters with a meaning in other kinds of patterns. A pattern with them would silently match something else. */
export const unsupportedInPattern = /[[\]{}\\!]/;

/**
 * Creates a test for keys: `*` matches any characters except `/`, `**` for any characters, a folder `**` for any
 * folders, and `?` for one character except `/`. Takes the length of key and pattern multiplied at worst, unlike the
 * regular expressions of the usual libraries, which a pattern can keep busy for ever.
 */
export const createKeyMatcher = (pattern: string): ((key: string) => boolean) => {
  const tokens = parse(pattern);
  /** Adds a position in the pattern, and those behind tokens that also stand for nothing. */
  const reach = (positions: Set<number>, position: number): void => {
    for (let at = position; !positions.has(at); at++) {
      positions.add(at);
      const kind = tokens[at]?.kind;
      if (kind === undefined || kind === 'character' || kind === 'one') return;
    }
  };
  return (key) => {
    let positions = new Set<number>();
    reach(positions, 0);
    for (const character of key) {
      const next = new Set<number>();
      for (const position of positions) {
        const token = tokens[position];
        switch (token?.kind) {
          case undefined:
            break;
          case 'character':
            if (character === token.character) reach(next, position + 1);
            break;
          case 'one':
            if (character !== '/') reach(next, position + 1);
            break;
          case 'name':
            if (character !== '/') reach(next, position);
            break;
          case 'path':
            reach(next, position);
            break;
          case 'folders':
            // Inside folders, the pattern goes on only after a slash.
            next.add(position);
            if (character === '/') reach(next, position + 1);
            break;
        }
      }
      if (next.size === 0) return false;
      positions = next;
    }
    return positions.has(tokens.length);
  };
};
