/** The label without a condition: every reader of the dataset sees the record. */
export interface EmptyLabel {
  readonly kind: 'empty';
}

/**
 * The condition that a reader must satisfy. The type requires at least one operand of `and` and `or`, because an `and`
 * without operands would be true for everyone.
 */
export type LabelCondition =
  | { readonly kind: 'attribute'; readonly attribute: string }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly [LabelCondition, ...LabelCondition[]] };

/** A parsed label. The empty label is never an operand of another. */
export type LabelExpression = EmptyLabel | LabelCondition;
