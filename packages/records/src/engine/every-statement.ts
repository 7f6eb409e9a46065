/** What holds for every statement, as settings of the engine. */
export const everyStatement = {
  // The text of a search with many clauses or labels is long; no setting in the text itself can allow that.
  max_query_size: 256_000_000,
  // Rows of a merged part are not found by their words where records beside them were deleted or relabelled: the index may
  // name the blocks to read, but must not stand for what is in them (chdb 3.4.0).
  query_plan_direct_read_from_text_index: 0,
} as const;
