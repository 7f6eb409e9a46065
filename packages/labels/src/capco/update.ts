import { writeFileSync } from 'node:fs';
import { capcoReferencePath } from './capco-reference-path.ts';
import { renderCapcoReference } from './render-capco-reference.ts';

// Writes the page anew: run it after a change of the table of marks.
writeFileSync(capcoReferencePath, renderCapcoReference());
