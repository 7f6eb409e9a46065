import type { LabelCondition, LabelExpression } from './label-expression.ts';

function holds(condition: LabelCondition, attributes: ReadonlySet<string>): boolean {
  switch (condition.kind) {
    case 'attribute':
      return attributes.has(condition.attribute);
    case 'and':
      return condition.operands.every((operand) => holds(operand, attributes));
    case 'or':
      return condition.operands.some((operand) => holds(operand, attributes));
  }
}

/**
 * Whether a record with this label is visible to a reader with these attributes.
 *
 *     evaluateLabel(parseLabel('A&(B|C)'), new Set(['A', 'C'])) // true
 *
 * @param attributes normalised by `normaliseAttribute`; any other form matches no label
 */
export function evaluateLabel(expression: LabelExpression, attributes: ReadonlySet<string>): boolean {
  return expression.kind === 'empty' || holds(expression, attributes);
}

function collect(condition: LabelCondition, into: Set<string>): void {
  if (condition.kind === 'attribute') into.add(condition.attribute);
  else for (const operand of condition.operands) collect(operand, into);
}

/** Returns the attributes that a label names, without duplicates, sorted by UTF-16 code units. */
export function listLabelAttributes(expression: LabelExpression): string[] {
  const attributes = new Set<string>();
  if (expression.kind !== 'empty') collect(expression, attributes);
  return [...attributes].toSorted();
}
