import type { scheduleRoutes } from '../schedules.ts';
import type { AccessRule } from './access-rule.ts';
import { dataset, list, ofIngest, readOne, withNote } from './rule-makers.ts';

const creatorSees =
  'Only the person who created a schedule sees its request, its source and the errors of its runs.';

/** The lines of the access table about schedules. */
export const scheduleRules: Readonly<Record<keyof typeof scheduleRoutes, AccessRule>> = {
  listSchedules: withNote(list('self', 'manage'), creatorSees),
  createSchedule: dataset('write', ofIngest),
  getSchedule: withNote(readOne('self', 'manage'), creatorSees),
  patchSchedule: withNote(
    readOne('self', 'manage'),
    'The person concerned is the one who created the schedule. Others can only pause it.',
  ),
  deleteSchedule: readOne('self', 'manage'),
  runSchedule: withNote(
    { may: ['self'], sees: ['self', 'manage'] },
    'The person concerned is the one who created the schedule.',
  ),
  listScheduleRuns: withNote(readOne('self', 'manage'), creatorSees),
};
