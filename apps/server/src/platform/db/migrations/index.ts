import type { Migration } from 'kysely/migration';
import { initial } from './0001-initial.ts';
import { pathVersion } from './0002-path-version.ts';
import { columnLabels } from './0003-column-labels.ts';
import { jobs } from './0004-jobs.ts';
import { indexes } from './0005-indexes.ts';

/** Every migration in order. A name, once released, is never changed; nor is what it does. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-path-version': pathVersion,
  '0003-column-labels': columnLabels,
  '0004-jobs': jobs,
  '0005-indexes': indexes,
};
