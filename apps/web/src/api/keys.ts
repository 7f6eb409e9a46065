/** The keys of cached responses: one place, so that a change invalidates everything that shows it. */
export const keys = {
  me: ['me'] as const,
  workspaces: ['workspaces'] as const,
  datasets: ['datasets'] as const,
  dataset: (id: string) => ['datasets', id] as const,
  jobs: ['jobs'] as const,
  job: (id: string) => ['jobs', id] as const,
  previews: ['previews'] as const,
  labelVisibility: ['label-visibility'] as const,
  attributes: ['attributes'] as const,
  assignments: ['attribute-assignments'] as const,
  users: ['users'] as const,
  groups: ['groups'] as const,
  invitations: ['invitations'] as const,
  permissions: ['dataset-permissions'] as const,
  records: (id: string, search: string) => ['datasets', id, 'records', search] as const,
};
