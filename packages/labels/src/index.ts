export { parseColumnLabelInfo } from './columns/parse-column-label-info.ts';
export {
  replaceColumnLabels,
  serializeColumnLabels,
  findHiddenColumns,
  parseColumnLabels,
  addColumnLabels,
  joinColumnLabels,
  type ColumnLabels,
} from './columns/column-labels.ts';
export {
  containsHiddenPath,
  hiddenPathsInside,
  isHiddenPath,
  requireSortedPaths,
  touchesPath,
  type SortedPaths,
} from './columns/hidden-columns.ts';
export { normaliseAttribute } from './expression/attribute.ts';
export { toCanonicalLabel } from './expression/canonical-label.ts';
export { evaluateLabel, listLabelAttributes } from './expression/evaluate-label.ts';
export type { EmptyLabel, LabelCondition, LabelExpression } from './expression/label-expression.ts';
export { LabelSyntaxError } from './expression/label-syntax-error.ts';
export {
  maxAttributeLength,
  maxLabelDepth,
  maxLabelledColumns,
  maxLabelLength,
} from './expression/limits.ts';
export { parseLabel } from './expression/parse-label.ts';
export { labelParsers } from './labeller/label-parsers.ts';
export { createRecordLabeller, type LabelResult, type RecordLabeller } from './labeller/record-labeller.ts';
export type { LabelHandlingPolicy, SecurityLabelInfo } from './labeller/security-label-info.ts';
export { attributeSetKey } from './visible/attribute-set-key.ts';
export {
  createVisibleLabelSets,
  type InternedLabel,
  type VisibleLabelSets,
} from './visible/visible-label-sets.ts';
export {
  noVisibleLabels,
  includesLabels,
  findNewlyHidden,
  limitToKnownLabels,
  hideColumns,
  type VisibleLabels,
} from './visible/visible-labels.ts';
