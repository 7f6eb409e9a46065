import { sql, type RawBuilder } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { datasetAccessBits, selectAccessBits } from '../datasets/index.ts';

/** The bit that each row of `application_datasets` asks for. */
const askedBit = sql<number>`(case application_datasets.action when 'read' then ${datasetAccessBits.read}::integer
  when 'write' then ${datasetAccessBits.write}::integer else ${datasetAccessBits.manage}::integer end)`;

/** The bits of the actor on the dataset of each row of `application_datasets`; 0 where there is none for them. */
const bitsOfRequired = (db: Db, actor: Member): RawBuilder<number> =>
  sql<number>`coalesce((select ${selectAccessBits(db, actor)} from datasets
    where datasets.id = application_datasets.dataset_id
      and datasets.workspace_uid = ${actor.workspace.uniqueId}), 0)`;

/** Whether the dataset of a row of `application_datasets` exists for the actor. */
export const isRequiredDatasetVisible = (db: Db, actor: Member): RawBuilder<boolean> =>
  sql<boolean>`${bitsOfRequired(db, actor)} <> 0`;

/** Whether the row of `applications` allows the actor, and they can do with its datasets what it requires. */
export const isApplicationUsableBy = (db: Db, actor: Member): RawBuilder<boolean> =>
  sql<boolean>`(exists (select 1 from application_users
      where application_users.application_id = applications.id
        and application_users.account_id = ${actor.accountId})
    and not exists (select 1 from application_datasets
      where application_datasets.application_id = applications.id
        and ${bitsOfRequired(db, actor)} & ${askedBit} = 0))`;
