const excerptBefore = 40;
const excerptLength = 80;

/** Eighty characters of the text around the position, in quotes, with `…` where text is left out. */
function excerpt(text: string, position: number): string {
  const start = Math.max(0, position - excerptBefore);
  const end = start + excerptLength;
  return `${start > 0 ? '…' : ''}${JSON.stringify(text.slice(start, end))}${end < text.length ? '…' : ''}`;
}

/** What stands at the position, in quotes; JSON's escapes show what cannot be seen. */
function found(text: string, position: number): string {
  const codePoint = text.codePointAt(position);
  return codePoint === undefined ? 'it ends' : `${JSON.stringify(String.fromCodePoint(codePoint))} stands`;
}

/**
 * A label, or an attribute, that cannot be read. Whoever calls turns it into the error of the API; the message is
 * meant for the person who wrote the text and quotes it.
 */
export class LabelSyntaxError extends Error {
  override readonly name = 'LabelSyntaxError';
  /** Where the fault is, in UTF-16 code units from 0; the length of the text where it ends too early. */
  readonly position: number;
  /** What could have stood there. */
  readonly expected: string;

  constructor(subject: 'Label' | 'Attribute', text: string, position: number, expected: string) {
    super(
      `${subject} ${excerpt(text, position)} is not valid: at position ${position} ${found(text, position)}, expected ${expected}.`,
    );
    this.position = position;
    this.expected = expected;
  }
}
