import { renderLuceneReference } from '@redoubt/query';
import { errorSection } from './error-section.ts';
import { limitsSection } from './limits-section.ts';
import { metricsSection } from './metrics-section.ts';
import { settingsSection } from './settings-section.ts';
import {
  auditEventsSection,
  jobStatesSection,
  jobTypesSection,
  labelParsersSection,
  permissionsSection,
} from './vocabulary-sections.ts';

/** The generated sections of documentation pages, by the name in their `<!-- generated: … -->` comments. */
export const sections: Readonly<Record<string, () => string | Promise<string>>> = {
  'audit-events': auditEventsSection,
  errors: errorSection,
  'job-states': jobStatesSection,
  'job-types': jobTypesSection,
  'label-parsers': labelParsersSection,
  limits: limitsSection,
  lucene: renderLuceneReference,
  metrics: metricsSection,
  permissions: permissionsSection,
  settings: settingsSection,
};
