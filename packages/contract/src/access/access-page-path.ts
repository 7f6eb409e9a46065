import { join } from 'node:path';

/** The path of the generated page of access rules. */
export const accessPagePath = join(
  import.meta.dirname,
  '../../../../apps/docs/docs/reference/access-rules.md',
);
