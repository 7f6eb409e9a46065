/** What holds for every statement, as settings of the engine. */
export const commonStatementSettings = {
  // The text of a search with many clauses or labels is long; no setting in the text itself can allow that.
  max_query_size: 256_000_000,
  // The engine compiles what it was asked a few times, whoever asked: that takes 30 to 150 ms, so the time of a statement
  // would tell that others have asked it, and hardly any answer comes sooner for it.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  compile_regular_expressions: 0,
  // Of rows taken out of arrays the engine (chdb 3.4.0) makes one group by a constant where there are none.
  optimize_group_by_constant_keys: 0,
} as const;
