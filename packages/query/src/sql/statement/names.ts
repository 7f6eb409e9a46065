/** A name in a statement. An unquoted name may differ from the actual name in letter case. */
export interface WrittenName {
  /** As PostgreSQL parses it: unquoted names in lower case. */
  readonly folded: string;
  /** As in the statement. */
  readonly written: string;
  readonly quoted: boolean;
}

/**
 * Returns the names of a dotted reference with their original letter case, which the parser does not keep.
 * @param at the byte offset of the first name
 * @param folded the names from the parser
 */
export function sourceNames(
  { text, bytes }: { readonly text: string; readonly bytes: Buffer },
  at: number,
  folded: readonly string[],
): WrittenName[] {
  const names: WrittenName[] = [];
  // In ASCII text, byte offsets are character offsets. Slicing the text is fast, because it copies nothing.
  let rest = bytes.length === text.length ? text.slice(at) : bytes.subarray(at).toString();
  for (const name of folded) {
    const written = parseName(rest);
    // Other syntax, such as U&"...", is not parsed here. The name from the parser then counts as quoted.
    if (written === undefined || fold(written.name, written.quoted) !== name) {
      return folded.map((meant) => ({ folded: meant, written: meant, quoted: true }));
    }
    names.push({ folded: name, written: written.name, quoted: written.quoted });
    rest = rest.slice(written.length).replace(/^\s*\.\s*/, '');
  }
  return names;
}

const fold = (name: string, quoted: boolean): string =>
  quoted ? name : name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

function parseName(text: string): { name: string; quoted: boolean; length: number } | undefined {
  const quoted = /^"((?:[^"]|"")*)"/.exec(text);
  if (quoted !== null) {
    return { name: (quoted[1] ?? '').replaceAll('""', '"'), quoted: true, length: quoted[0].length };
  }
  const plain = /^[A-Za-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*/u.exec(text)?.[0];
  return plain === undefined ? undefined : { name: plain, quoted: false, length: plain.length };
}

/** The result of looking up a name. */
export type NameLookup<Candidate> = Candidate | 'ambiguous' | undefined;

/**
 * Finds the candidate of a name: one with exactly this name, or for an unquoted name the only one that differs in
 * letter case. Returns 'ambiguous' if several match.
 */
export function findNamed<Candidate>(
  candidates: readonly Candidate[],
  nameOf: (candidate: Candidate) => string,
  name: WrittenName,
): NameLookup<Candidate> {
  const lower = name.written.toLowerCase();
  const rules = [
    (other: string) => other === name.folded,
    (other: string) => other === name.written,
    (other: string) => !name.quoted && other.toLowerCase() === lower,
  ];
  for (const rule of rules) {
    const [first, second] = candidates.filter((candidate) => rule(nameOf(candidate)));
    if (second !== undefined) return 'ambiguous';
    if (first !== undefined) return first;
  }
  return undefined;
}
