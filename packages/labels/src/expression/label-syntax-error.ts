const excerptBefore = 40;
const excerptLength = 80;

/** Quotes 80 characters around the position, with `…` where text is left out. */
function excerpt(text: string, position: number): string {
  const start = Math.max(0, position - excerptBefore);
  const end = start + excerptLength;
  return `${start > 0 ? '…' : ''}${JSON.stringify(text.slice(start, end))}${end < text.length ? '…' : ''}`;
}

/** The character at the position, in quotes. JSON escapes make invisible characters visible. */
function describeCharacter(text: string, position: number): string {
  const codePoint = text.codePointAt(position);
  return codePoint === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(codePoint));
}

/**
 * A label or attribute cannot be parsed. Callers convert this error to an error of the API. The message quotes the text
 * and is for the person who sent the label.
 */
export class LabelSyntaxError extends Error {
  override readonly name = 'LabelSyntaxError';
  /** Where parsing failed, in UTF-16 code units from 0. It is the length of the text if the text ends too early. */
  readonly position: number;
  /** The valid input at this position, in words. */
  readonly expected: string;

  /**
   * The message without its subject, to follow the name of a field: `must be a valid label, got "A&". At position 2, …`
   */
  readonly predicate: string;

  constructor(subject: 'label' | 'attribute', text: string, position: number, expected: string) {
    const got = `got ${excerpt(text, position)}. At position ${position}, expected ${expected}, got ${describeCharacter(text, position)}.`;
    super(`The ${subject} must be valid, ${got}`);
    this.predicate = `must be a valid ${subject}, ${got}`;
    this.position = position;
    this.expected = expected;
  }
}
