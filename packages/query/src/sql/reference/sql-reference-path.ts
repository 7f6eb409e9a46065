import { join } from 'node:path';

/** The page in the repository. */
export const sqlReferencePath = join(import.meta.dirname, '../../../../../apps/docs/docs/reference/sql.md');
