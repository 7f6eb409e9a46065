export { readColumnLabels } from './columns/column-label-info.ts';
export {
  changeColumns,
  columnLabelsText,
  hiddenColumns,
  parseColumnLabels,
  tightenColumns,
  type ColumnLabels,
} from './columns/column-labels.ts';
export { holdsHiddenPath, isHiddenPath } from './columns/hidden-columns.ts';
export { normaliseAttribute } from './expression/attribute.ts';
export { canonicalLabel } from './expression/canonical-label.ts';
export { evaluateLabel, labelAttributes } from './expression/evaluate-label.ts';
export type { EmptyLabel, LabelCondition, LabelExpression } from './expression/label-expression.ts';
export { LabelSyntaxError } from './expression/label-syntax-error.ts';
export { maxAttributeLength, maxLabelDepth, maxLabelLength } from './expression/limits.ts';
export { parseLabel } from './expression/parse-label.ts';
export { labelParsers } from './labeller/label-parsers.ts';
export { createRecordLabeller, type LabelOutcome, type RecordLabeller } from './labeller/record-labeller.ts';
export type { LabelHandlingPolicy, SecurityLabelInfo } from './labeller/security-label-info.ts';
export { attributeSetKey } from './visible/attribute-set-key.ts';
export {
  createVisibleLabelSets,
  type InternedLabel,
  type VisibleLabelSets,
} from './visible/visible-label-sets.ts';
export {
  emptyVisibleLabels,
  stillSees,
  upToLabel,
  withoutColumns,
  type VisibleLabels,
} from './visible/visible-labels.ts';
