/**
 * The caches that statements fill, each with its maximum share of the memory. Without these settings they may grow to
 * 5 GB and 1 GB, whatever the limit of the engine is.
 */
const cacheParts = {
  mark_cache_size: 1 / 16,
  index_mark_cache_size: 1 / 32,
  primary_index_cache_size: 1 / 32,
  text_index_tokens_cache_size: 1 / 64,
  text_index_header_cache_size: 1 / 64,
  text_index_postings_cache_size: 1 / 64,
  query_condition_cache_size: 1 / 64,
} as const;

/** The arguments for opening the folder: one memory budget for all statements, merges and caches. */
export function serverArguments(memoryLimitBytes: number): string[] {
  const settings = {
    max_server_memory_usage: memoryLimitBytes,
    // Merges that would exceed half of the memory wait, so that statements can use the other half.
    merges_mutations_memory_usage_soft_limit: memoryLimitBytes / 2,
    // Otherwise the engine counts the memory of the whole container and lowers its limit by the use of other processes.
    memory_worker_use_cgroup: 0,
    memory_worker_dynamic_hard_limit: 0,
    // Merges come after statements where both need the processor.
    os_threads_nice_value_merge_mutate: 10,
    ...Object.fromEntries(Object.entries(cacheParts).map(([name, part]) => [name, memoryLimitBytes * part])),
  };
  return Object.entries(settings).map(([name, value]) => `--${name}=${String(Math.floor(value))}`);
}
