/** What holds for every statement, as settings of the engine. */
export const everyStatement = {
  // The text of a search with many clauses or labels is long; no setting in the text itself can allow that.
  max_query_size: 256_000_000,
} as const;
