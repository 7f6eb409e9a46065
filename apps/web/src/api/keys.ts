/** The keys of cached responses: one place, so that a change invalidates everything that shows it. */
export const keys = {
  me: ['me'] as const,
  workspaces: ['workspaces'] as const,
  datasets: ['datasets'] as const,
  dataset: (id: string) => ['datasets', id] as const,
  profiles: (id: string, query: object) => ['datasets', id, 'profiles', query] as const,
  values: (id: string, query: object) => ['datasets', id, 'values', query] as const,
  record: (id: string, recordId: string) => ['datasets', id, 'records', recordId] as const,
};
