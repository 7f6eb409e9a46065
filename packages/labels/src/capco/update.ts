import { writeFileSync } from 'node:fs';
import { renderCapcoReference, capcoReferencePath } from './render-capco-reference.ts';

// Regenerates the documentation page. Run it after a change to the table of markings.
writeFileSync(capcoReferencePath, renderCapcoReference());
