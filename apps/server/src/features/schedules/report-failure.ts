import type { JobError } from '@redoubt/contract';
import type { Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import {
  createScheduleRunRepository,
  type ClaimedRun,
  type ScheduleRunRepository,
} from './schedule-run.repository.ts';

/** Errors that mean a lost right: of the person, of their key, or on the dataset or the connection. */
const lostRights: ReadonlySet<string | null> = new Set(['AuthError', 'ForbiddenError', 'NotFoundError']);

/**
 * Notes that a run failed. Its creator gets a mail for the first failure after a completed run. If a right is gone, the
 * schedule is paused. While the subscription of the workspace is not paid, it is not: payment brings the rights back.
 * @param note changes the run in the same transaction. @returns whether no other process has done so
 */
export type ReportFailure = (
  run: ClaimedRun,
  error: JobError,
  note: (changes: ScheduleRunRepository) => Promise<boolean>,
) => Promise<void>;

export const createReportFailure =
  ({
    audit,
    mail,
    requireOpen,
    clock,
  }: {
    audit: Pick<Audit, 'change'>;
    mail: Pick<MailQueue, 'add' | 'wake'>;
    requireOpen: (workspaceUid: string) => Promise<void>;
  } & Pick<Runtime, 'clock'>): ReportFailure =>
  async ({ id, schedule }, { name, message }, note) => {
    const { accountId, email, workspaceUid, datasetId } = schedule;
    const author = { accountId, email, workspace: { uniqueId: workspaceUid } };
    const isLost =
      lostRights.has(name) &&
      (await requireOpen(workspaceUid).then(
        () => true,
        () => false,
      ));
    const work = async (trx: Db): Promise<boolean> => {
      const changes = createScheduleRunRepository(trx);
      if (!(await note(changes))) return false;
      const isFirst = await changes.setFailing(schedule.id, true);
      if (isFirst && schedule.mailOnFailure)
        await mail.add(trx, 'schedule-failed', { scheduleId: schedule.id, runId: id });
      return isLost && (await changes.pause(schedule.id, message, clock.now()));
    };
    await audit.change(
      author,
      (isPaused) =>
        isPaused
          ? {
              type: 'DatasetManagement',
              description: 'had a schedule paused, because a right is gone',
              datasetId,
              details: { scheduleId: schedule.id },
            }
          : undefined,
      work,
    );
    mail.wake();
  };
