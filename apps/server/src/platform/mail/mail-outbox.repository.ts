import type { Db } from '../db/database.ts';

/** A mail that is being sent. */
export interface PendingMail {
  id: string;
  kind: string;
  about: string;
  /** Number of attempts, including this one. */
  attempts: number;
}

export const createMailOutboxRepository = (db: Db) => ({
  add: async (mail: { id: string; kind: string; about: string; now: Date }): Promise<void> => {
    const { id, kind, about, now } = mail;
    await db
      .insertInto('mail_outbox')
      .values({ id, kind, about, attempts: 0, due_at: now, created_at: now })
      .execute();
  },

  /** Whether any mail is due. Call it before `claim`, which invalidates cached access rights, as every write does. */
  hasDue: async (now: Date): Promise<boolean> => {
    const row = await db
      .selectFrom('mail_outbox')
      .select('id')
      .where('due_at', '<=', now)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Claims the mail that has been due for longest, with a lease until `until`. */
  claim: (now: Date, until: Date): Promise<PendingMail | undefined> =>
    db
      .updateTable('mail_outbox')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), due_at: until }))
      .where('id', '=', ({ selectFrom }) =>
        selectFrom('mail_outbox')
          .select('id')
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'kind', 'about', 'attempts'])
      .executeTakeFirst(),

  remove: async (id: string): Promise<void> => {
    await db.deleteFrom('mail_outbox').where('id', '=', id).execute();
  },

  postpone: async (id: string, until: Date): Promise<void> => {
    await db.updateTable('mail_outbox').set({ due_at: until }).where('id', '=', id).execute();
  },
});
