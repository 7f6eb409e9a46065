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
 * Whether a reader with these attributes sees what carries the label. The attributes are normalised
 * (`normaliseAttribute`): one in lower case equals none of a label, and so shows nothing.
 */
export function evaluateLabel(expression: LabelExpression, attributes: ReadonlySet<string>): boolean {
  return expression.kind === 'empty' || holds(expression, attributes);
}

function collect(condition: LabelCondition, into: Set<string>): void {
  if (condition.kind === 'attribute') into.add(condition.attribute);
  else for (const operand of condition.operands) collect(operand, into);
}

/** The attributes that a label names, each once, sorted by UTF-16 code units. */
export function listLabelAttributes(expression: LabelExpression): string[] {
  const attributes = new Set<string>();
  if (expression.kind !== 'empty') collect(expression, attributes);
  return [...attributes].toSorted();
}
