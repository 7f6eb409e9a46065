import { join } from 'node:path';

/** The page in the repository. */
export const accessPagePath = join(
  import.meta.dirname,
  '../../../../apps/docs/docs/reference/access-rules.md',
);
