import { join } from 'node:path';

/** The page in the repository. */
export const accessPageFile = join(import.meta.dirname, '../../../../docs/access-rules.md');
