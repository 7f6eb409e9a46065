import type { Charge, ListQuery, User } from '@redoubt/contract';
import { sql, type RawBuilder } from 'kysely';
import { hasPrivileges, hasPermission, type Person } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { chargeOf } from '../../platform/subscriptions/index.ts';

const ownOnly = <T>(reader: Person, column: RawBuilder<T>): RawBuilder<T | null> =>
  sql`case when ${sql.ref('accounts.id')} = ${reader.accountId} then ${column} end`;

/**
 * The fields as the reader may see them. Filters and sorting use the same expressions, so that they disclose nothing that
 * the response does not contain.
 */
const columnsFor = (reader: Person) => {
  const managedOnly = <T>(column: RawBuilder<T>): RawBuilder<T | null> =>
    hasPermission(reader, 'manage-users') ? column : ownOnly(reader, column);
  return {
    id: sql.ref<string>('accounts.id'),
    email: managedOnly(sql.ref<string>('accounts.email')),
    firstName: sql.ref<string>('accounts.first_name'),
    lastName: sql.ref<string>('accounts.last_name'),
    workspaceId: sql<string | null>`${reader.workspace?.slug ?? null}::text`,
    role: managedOnly(sql.ref<'member' | 'admin' | null>('memberships.role')),
    disabled: managedOnly(sql.ref<boolean | null>('memberships.disabled')),
  };
};

/** The users that a reader may see: the people of the session's workspace, or only the reader if there is none. */
export const createUserRepository = (db: Db) => {
  const visibleTo = (reader: Person) => {
    const columns = columnsFor(reader);
    const uid = reader.workspace?.uniqueId ?? null;
    // A key or an application does not see the payments of its user.
    const ownCharge = hasPrivileges(reader) ? ownOnly(reader, chargeOf(uid)) : sql<Charge | null>`null::json`;
    const charge = hasPermission(reader, 'manage-billing') ? chargeOf(uid) : ownCharge;
    const people = db
      .selectFrom('accounts')
      .leftJoin('memberships', (join) =>
        join
          .onRef('memberships.account_id', '=', 'accounts.id')
          .on(sql<boolean>`${sql.ref('memberships.workspace_uid')} = ${uid}::text`),
      )
      .select([
        columns.id.as('id'),
        columns.email.as('email'),
        columns.firstName.as('firstName'),
        columns.lastName.as('lastName'),
        columns.workspaceId.as('workspaceId'),
        columns.role.as('role'),
        columns.disabled.as('disabled'),
        charge.as('stripeLatestCharge'),
      ]);
    return uid === null
      ? people.where('accounts.id', '=', reader.accountId)
      : people.where('memberships.workspace_uid', 'is not', null);
  };

  return {
    list: (reader: Person, list: ListQuery): Promise<Page<User>> =>
      readPage(visibleTo(reader), list, columnsFor(reader), sql.ref('accounts.id')),

    find: (reader: Person, id: string): Promise<User | undefined> =>
      visibleTo(reader).where('accounts.id', '=', id).executeTakeFirst(),
  };
};
