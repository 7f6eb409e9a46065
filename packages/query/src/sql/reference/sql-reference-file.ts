import { join } from 'node:path';

/** The page in the repository. */
export const sqlReferenceFile = join(import.meta.dirname, '../../../../../docs/sql.md');
