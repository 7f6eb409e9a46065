import type { Db } from '../db/database.ts';
import { createAccessCache } from '../db/access-cache.ts';
import type { DatasetAction } from '../db/schema.ts';

/** What an application may do now for one person. */
export interface ActiveApplication {
  type: 'mls' | 'sls';
  /** The datasets that the application is restricted to, with its actions there; undefined if it is not restricted. */
  datasets: ReadonlyMap<string, readonly DatasetAction[]> | undefined;
}

/** Finds the application if it belongs to the workspace and the person is one of its users. */
export type FindActiveApplication = (
  applicationId: string,
  workspaceUid: string,
  accountId: string,
) => Promise<ActiveApplication | undefined>;

const maxCachedApplications = 10_000;

export const createFindActiveApplication = (
  db: Db,
  cached = createAccessCache(db, maxCachedApplications),
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
  return (...whose) => cached(JSON.stringify(whose), () => find(...whose));
};
