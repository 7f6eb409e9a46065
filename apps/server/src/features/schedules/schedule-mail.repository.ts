import type { Db } from '../../platform/db/database.ts';

export interface ScheduleMailRepository {
  /** What a mail says; undefined if the schedule is gone, or its creator is no longer an active member. */
  find(
    scheduleId: string,
  ): Promise<
    { email: string; firstName: string; name: string; workspaceName: string; isActive: boolean } | undefined
  >;
}

export const createScheduleMailRepository = (db: Db): ScheduleMailRepository => ({
  find: (scheduleId) =>
    db
      .selectFrom('schedules')
      .innerJoin('accounts', 'accounts.id', 'schedules.account_id')
      .innerJoin('workspaces', 'workspaces.unique_id', 'schedules.workspace_uid')
      .innerJoin('memberships', (join) =>
        join
          .onRef('memberships.account_id', '=', 'schedules.account_id')
          .onRef('memberships.workspace_uid', '=', 'schedules.workspace_uid'),
      )
      .where('memberships.disabled', '=', false)
      .where('schedules.id', '=', scheduleId)
      .select([
        'accounts.email',
        'accounts.first_name as firstName',
        'schedules.name',
        'workspaces.name as workspaceName',
        'schedules.is_active as isActive',
      ])
      .executeTakeFirst(),
});
