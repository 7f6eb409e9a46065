import { isUnquotedAttribute, normaliseAttribute } from '../expression/attribute.ts';
import { toCanonicalLabel } from '../expression/canonical-label.ts';
import type { LabelSyntaxError } from '../expression/label-syntax-error.ts';
import { parseLabel } from '../expression/parse-label.ts';

/** A label in canonical form, or what is wrong with the text. */
export type ParsedLabel =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'fault'; readonly message: string };

function attempt(read: () => string): ParsedLabel {
  try {
    return { kind: 'label', label: read() };
  } catch (error) {
    // Reading throws nothing else; and whatever it were, it must not become a label.
    return { kind: 'fault', message: (error as LabelSyntaxError).message };
  }
}

/** Reads a label expression. */
export const parseLabelText = (text: string): ParsedLabel =>
  attempt(() => toCanonicalLabel(parseLabel(text)));

/** Reads one attribute: the whole text, which may have no character that would need quotes. */
export function parseAttributeText(text: string): ParsedLabel {
  if (isUnquotedAttribute(text)) return attempt(() => normaliseAttribute(text));
  const shown = text.length > 80 ? `${JSON.stringify(text.slice(0, 80))}…` : JSON.stringify(text);
  return {
    kind: 'fault',
    message: `${shown} is not one attribute of letters, digits and _ - . : /; label expressions are read by identity-parser.`,
  };
}
