import { join } from 'node:path';

/** The page in the repository. */
export const capcoReferencePath = join(import.meta.dirname, '../../../../apps/docs/docs/reference/capco.md');
