import { writeFileSync } from 'node:fs';
import { renderAccessPage, accessPagePath } from './render-access-page.ts';

// Generates the page of access rules. Run it after changing the rules.
writeFileSync(accessPagePath, renderAccessPage());
