import { escapeAttribute, isUnquotedAttribute } from './attribute.ts';
import type { LabelCondition, LabelExpression } from './label-expression.ts';

/** A condition with its canonical text; `parts` are the sorted operands of `and` and `or`. */
interface CanonicalCondition {
  readonly kind: LabelCondition['kind'];
  readonly text: string;
  readonly parts: readonly CanonicalCondition[];
}

const signs = { and: '&', or: '|' } as const;

const attributeText = (attribute: string): string =>
  isUnquotedAttribute(attribute) ? attribute : `"${escapeAttribute(attribute)}"`;

function canonicalCondition(condition: LabelCondition): CanonicalCondition {
  if (condition.kind === 'attribute') {
    return { kind: 'attribute', text: attributeText(condition.attribute), parts: [] };
  }
  const { kind } = condition;
  const distinct = new Map<string, CanonicalCondition>();
  for (const operand of condition.operands) {
    const part = canonicalCondition(operand);
    for (const flat of part.kind === kind ? part.parts : [part]) distinct.set(flat.text, flat);
  }
  const parts = [...distinct.values()].toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const texts = parts.map((part) => (part.kind === 'attribute' ? part.text : `(${part.text})`));
  return { kind, text: texts.join(signs[kind]), parts };
}

/**
 * The one text of all labels that are equal because `&` and `|` may be regrouped, reordered and repeated: flat,
 * without repetition, sorted by UTF-16 code units (the same in every locale), with parentheses and quotes only
 * where they are needed. It is never longer or deeper than the text that was read, and reading it gives a label
 * of the same meaning and the same canonical text.
 */
export function toCanonicalLabel(expression: LabelExpression): string {
  return expression.kind === 'empty' ? '' : canonicalCondition(expression).text;
}
