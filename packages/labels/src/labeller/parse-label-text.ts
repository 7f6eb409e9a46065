import { isUnquotedAttribute, normaliseAttribute } from '../expression/attribute.ts';
import { toCanonicalLabel } from '../expression/canonical-label.ts';
import type { LabelSyntaxError } from '../expression/label-syntax-error.ts';
import { parseLabel } from '../expression/parse-label.ts';

/** A label in canonical form, or an error for the person who sent the text: a predicate to follow the name of the field. */
export type ParsedLabel =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'error'; readonly predicate: string };

function attempt(parse: () => string): ParsedLabel {
  try {
    return { kind: 'label', label: parse() };
  } catch (error) {
    // Parsing throws only LabelSyntaxError. Any other error must not produce a label either.
    return { kind: 'error', predicate: (error as LabelSyntaxError).predicate };
  }
}

/** Parses a label expression. */
export const parseLabelText = (text: string): ParsedLabel =>
  attempt(() => toCanonicalLabel(parseLabel(text)));

/** Parses the whole text as one attribute. Characters that would need quotes in a label are rejected. */
export function parseAttributeText(text: string): ParsedLabel {
  if (isUnquotedAttribute(text)) return attempt(() => normaliseAttribute(text));
  const shown = text.length > 80 ? `${JSON.stringify(text.slice(0, 80))}…` : JSON.stringify(text);
  return {
    kind: 'error',
    predicate: `must be one attribute of letters, digits and _ - . : /, got ${shown}. Use identity-parser for label expressions.`,
  };
}
