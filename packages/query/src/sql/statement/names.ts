/** A name as someone wrote it: unquoted names may differ from what is meant in the case of their letters. */
export interface WrittenName {
  /** As PostgreSQL reads it: unquoted names in lower case. */
  readonly folded: string;
  /** As it was written. */
  readonly written: string;
  readonly quoted: boolean;
}

/**
 * The names of a dotted reference, read again out of the text, since the parser folds what is not quoted.
 * @param at byte offset of the first name
 * @param folded the names as the parser read them
 */
export function sourceNames(
  { text, bytes }: { readonly text: string; readonly bytes: Buffer },
  at: number,
  folded: readonly string[],
): WrittenName[] {
  const names: WrittenName[] = [];
  // In ASCII bytes are characters: a statement of many names is not read again to its end for each of them.
  let rest = bytes.length === text.length ? text.slice(at) : bytes.subarray(at).toString();
  for (const name of folded) {
    const written = readName(rest);
    // What cannot be read again, such as U&"...", means exactly what the parser says.
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

function readName(text: string): { name: string; quoted: boolean; length: number } | undefined {
  const quoted = /^"((?:[^"]|"")*)"/.exec(text);
  if (quoted !== null) {
    return { name: (quoted[1] ?? '').replaceAll('""', '"'), quoted: true, length: quoted[0].length };
  }
  const plain = /^[A-Za-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*/u.exec(text)?.[0];
  return plain === undefined ? undefined : { name: plain, quoted: false, length: plain.length };
}

/** What a reference found among candidates. */
export type NameLookup<Candidate> = Candidate | 'ambiguous' | undefined;

/**
 * Finds what a written name means: exactly that name, else, when it is not quoted, the one that differs in the case of
 * letters alone.
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
