import { parseLabel, type LabelCondition } from '@redoubt/labels';

const wordsOf = (condition: LabelCondition, isInner: boolean): string => {
  if (condition.kind === 'attribute') return condition.attribute;
  const parts = condition.operands.map((operand) => wordsOf(operand, true));
  const joined = parts.join(condition.kind === 'and' ? ' and ' : ' or ');
  return isInner ? `(${joined})` : joined;
};

/** Says in words who can see a record with this label. */
export const describeLabel = (label: string): string => {
  const expression = parseLabel(label);
  return expression.kind === 'empty'
    ? 'Everyone who may read this dataset'
    : `People who hold ${wordsOf(expression, false)}`;
};
