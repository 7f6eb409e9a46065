/** The label without a condition: every reader of the dataset sees the record. */
export interface EmptyLabel {
  readonly kind: 'empty';
}

/**
 * What a reader must hold. `and` and `or` have at least one operand by type, because "all of nothing" would be
 * true for everyone.
 */
export type LabelCondition =
  | { readonly kind: 'attribute'; readonly attribute: string }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly [LabelCondition, ...LabelCondition[]] };

/** A label that was read: no condition, or one. The empty label is never a part of another. */
export type LabelExpression = EmptyLabel | LabelCondition;
