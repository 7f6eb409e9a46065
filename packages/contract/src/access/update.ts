import { writeFileSync } from 'node:fs';
import { accessPagePath } from './access-page-path.ts';
import { renderAccessPage } from './render-access-page.ts';

// Generates the page of access rules. Run it after changing the rules.
writeFileSync(accessPagePath, renderAccessPage());
