/** The keys of cached responses: one place, so that a change invalidates everything that shows it. */
export const keys = {
  me: ['me'] as const,
  workspaces: ['workspaces'] as const,
  datasets: ['datasets'] as const,
  dataset: (id: string) => ['datasets', id] as const,
  records: (id: string, search: string) => ['datasets', id, 'records', search] as const,
  savedQueries: ['saved-queries'] as const,
  queryHistory: ['query-history'] as const,
  ownId: ['own-id'] as const,
  jobs: ['jobs'] as const,
  job: (id: string) => ['jobs', id] as const,
  search: (expression: string) => ['search', expression] as const,
};
