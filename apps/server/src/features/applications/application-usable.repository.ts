import { sql, type RawBuilder } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { datasetAccessBits, selectAccessBits } from '../datasets/index.ts';

/** SQL for the permission bit that a row of `application_datasets` requires. */
const requiredBit = sql<number>`(case application_datasets.action when 'read' then ${datasetAccessBits.read}::integer
  when 'write' then ${datasetAccessBits.write}::integer else ${datasetAccessBits.manage}::integer end)`;

/** SQL for the actor's permission bits on the dataset of a row of `application_datasets`; 0 if it is hidden or absent. */
const actorBits = (db: Db, actor: Member): RawBuilder<number> =>
  sql<number>`coalesce((select ${selectAccessBits(db, actor)} from datasets
    where datasets.id = application_datasets.dataset_id
      and datasets.workspace_uid = ${actor.workspace.uniqueId}), 0)`;

/** SQL for whether the dataset of a row of `application_datasets` is visible to the actor. */
export const isRequiredDatasetVisible = (db: Db, actor: Member): RawBuilder<boolean> =>
  sql<boolean>`${actorBits(db, actor)} <> 0`;

/** SQL for whether the actor may use a row of `applications`: they are an allowed user with all required permissions. */
export const isApplicationUsableBy = (db: Db, actor: Member): RawBuilder<boolean> =>
  sql<boolean>`(exists (select 1 from application_users
      where application_users.application_id = applications.id
        and application_users.account_id = ${actor.accountId})
    and not exists (select 1 from application_datasets
      where application_datasets.application_id = applications.id
        and ${actorBits(db, actor)} & ${requiredBit} = 0))`;
