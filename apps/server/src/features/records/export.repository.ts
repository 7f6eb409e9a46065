import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';

/** Downloads that are prepared and not fetched yet, each for one session. */
export interface ExportRepository {
  /** Stores a download. Deletes expired downloads, and the oldest ones of the session beyond its limit. */
  add(
    actor: Member,
    download: { tokenHash: string; request: string; expiresAt: Date },
    now: Date,
  ): Promise<void>;
  /** Removes and returns a download of the actor's session, so that it can be used only once. Undefined if there is none. */
  take(actor: Member, tokenHash: string, now: Date): Promise<string | undefined>;
}

/** Downloads that a session may have prepared and not fetched. */
const maxOfSession = 10;

export const createExportRepository = (db: Db): ExportRepository => ({
  add: async ({ sessionId, workspace }, { tokenHash, request, expiresAt }, now) => {
    await db.deleteFrom('exports').where('expires_at', '<=', now).execute();
    const newest = db
      .selectFrom('exports')
      .select('token_hash')
      .where('session_id', '=', sessionId)
      .orderBy('expires_at', 'desc')
      .orderBy('token_hash')
      .limit(maxOfSession - 1);
    await db
      .deleteFrom('exports')
      .where('session_id', '=', sessionId)
      .where('token_hash', 'not in', newest)
      .execute();
    await db
      .insertInto('exports')
      .values({
        token_hash: tokenHash,
        session_id: sessionId,
        workspace_uid: workspace.uniqueId,
        request,
        expires_at: expiresAt,
      })
      .execute();
  },
  take: async ({ sessionId, workspace }, tokenHash, now) => {
    const row = await db
      .deleteFrom('exports')
      .where('token_hash', '=', tokenHash)
      .where('session_id', '=', sessionId)
      .where('workspace_uid', '=', workspace.uniqueId)
      .where('expires_at', '>', now)
      .returning('request')
      .executeTakeFirst();
    return row?.request;
  },
});
