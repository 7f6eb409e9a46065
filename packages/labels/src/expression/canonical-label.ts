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
 * Prints a label in its canonical form. Labels that differ only in the order, grouping or repetition of operands get
 * the same text: nested operands are flattened, duplicates removed, and the rest sorted by UTF-16 code units, which
 * does not depend on the locale. Parentheses and quotes appear only where they are needed.
 *
 *     toCanonicalLabel(parseLabel('b&(a&b)')) // 'A&B'
 *
 * The canonical text is never longer or more deeply nested than the parsed text. Parsing the canonical text gives a
 * label with the same meaning and the same canonical form.
 */
export function toCanonicalLabel(expression: LabelExpression): string {
  return expression.kind === 'empty' ? '' : canonicalCondition(expression).text;
}
