/** A step to a document inside another; see `InnerDocument`. */
export type InnerStep =
  | { readonly kind: 'attachment'; readonly number: number }
  | { readonly kind: 'file'; readonly number: number }
  | { readonly kind: 'mail'; readonly offset: number; readonly length: number };

/** The maximum length of a path. */
const maxLength = 400;
const stepPattern = /^(?:(?<file>z)?(?<number>[1-9]\d{0,5})|m(?<offset>\d{1,15})-(?<length>\d{1,15}))$/;

/** The steps of a path; undefined if it is none. */
export function parseInnerPath(path: string): InnerStep[] | undefined {
  if (path.length > maxLength) return undefined;
  const steps: InnerStep[] = [];
  for (const step of path.split('/')) {
    const found = stepPattern.exec(step)?.groups;
    if (found === undefined) return undefined;
    const { file, number, offset, length } = found;
    steps.push(
      number === undefined
        ? { kind: 'mail', offset: Number(offset), length: Number(length) }
        : { kind: file === undefined ? 'attachment' : 'file', number: Number(number) },
    );
  }
  return steps;
}

/** Where a document inside a file belongs to. */
export interface InnerPlace {
  /** The path of the document that contains it; the empty text is the file itself; undefined if no record is of that. */
  readonly parent: string | undefined;
  /** The path of the outermost document that contains it, or the empty text for the file itself. */
  readonly root: string;
}

/**
 * Where the document with a path belongs to.
 * @throws Error if the text is no path
 */
export function innerPlace(path: string): InnerPlace {
  const steps = parseInnerPath(path);
  if (steps === undefined) throw new Error('A document inside a file has a path that is none.');
  const end = path.lastIndexOf('/');
  // A mailbox and an archive have no record of their own.
  const isInCollection = steps[0]?.kind !== 'attachment';
  const root = isInCollection ? (path.split('/')[0] ?? '') : '';
  if (end >= 0) return { parent: path.slice(0, end), root };
  return { parent: isInCollection ? undefined : '', root };
}
