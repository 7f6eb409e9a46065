import type { DatasetAction } from '@redoubt/contract';
import type { Db } from '../db/database.ts';
import { createAccessCache } from '../db/access-cache.ts';

/** What an application may be for one person at this moment. */
export interface ActiveApplication {
  type: 'mls' | 'sls';
  /** The datasets that it named, with what it may do there; undefined where it named none. */
  datasets: ReadonlyMap<string, readonly DatasetAction[]> | undefined;
}

/** The application, if it is one of the workspace and allows the person. */
export type FindActiveApplication = (
  applicationId: string,
  workspaceUid: string,
  accountId: string,
) => Promise<ActiveApplication | undefined>;

const rememberedApplications = 10_000;

export const createFindActiveApplication = (
  db: Db,
  remembered = createAccessCache(db, rememberedApplications),
): FindActiveApplication => {
  const find: FindActiveApplication = async (applicationId, workspaceUid, accountId) => {
    const rows = await db
      .selectFrom('applications')
      .innerJoin('application_users', 'application_users.application_id', 'applications.id')
      .leftJoin('application_datasets', 'application_datasets.application_id', 'applications.id')
      .where('applications.id', '=', applicationId)
      .where('applications.workspace_uid', '=', workspaceUid)
      .where('application_users.account_id', '=', accountId)
      .select([
        'applications.type',
        'application_datasets.dataset_id as datasetId',
        'application_datasets.action',
      ])
      .execute();
    const [first] = rows;
    if (first === undefined) return undefined;
    const named = new Map<string, DatasetAction[]>();
    for (const { datasetId, action } of rows) {
      if (datasetId !== null && action !== null)
        named.set(datasetId, [...(named.get(datasetId) ?? []), action]);
    }
    return { type: first.type, datasets: named.size === 0 ? undefined : named };
  };
  return (...whose) => remembered(JSON.stringify(whose), () => find(...whose));
};
