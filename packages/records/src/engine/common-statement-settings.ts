/** Settings of every statement. */
export const commonStatementSettings = {
  // Statements with many clauses or labels are long. A SETTINGS clause cannot raise this limit, because the engine
  // reads the clause only after it has checked the length.
  max_query_size: 256_000_000,
  // The engine compiles expressions that it has run a few times, for any reader. Compiling takes 30 to 150 ms, so the
  // time of a statement would disclose that others ran it before; and it makes hardly any statement faster.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  compile_regular_expressions: 0,
  // With this optimization, the engine (chdb 3.4.0) returns one group for an array join without rows.
  optimize_group_by_constant_keys: 0,
} as const;
