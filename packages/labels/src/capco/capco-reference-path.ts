import { join } from 'node:path';

/** The path of the generated documentation page. */
export const capcoReferencePath = join(import.meta.dirname, '../../../../apps/docs/docs/reference/capco.md');
