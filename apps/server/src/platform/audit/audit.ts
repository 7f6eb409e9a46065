import { setImmediate } from 'node:timers/promises';
import type { AuditStore } from '@redoubt/records';
import { databaseFolder, isSingleProcess, type Db } from '../db/database.ts';
import type { Logger } from '../log/logger.ts';
import type { Runtime } from '../runtime.ts';
import type { SecretBox } from '../secrets/index.ts';
import { createChainEnds } from './chain-end.ts';
import { appendPendingEvents } from './append-pending-events.ts';
import { createAuditChainRepository } from './chains.repository.ts';
import { toStoredEvent, type AuditEvent, type AuditActor } from './audit-event.ts';
import { createJournal, type PendingEvent } from './journal.ts';
import { createAuditOutbox } from './outbox.repository.ts';
import { removeExpired } from './retention.ts';
import { createAuditConfigRepository } from './audit-config.repository.ts';
import { verifyChains, type ChainReport } from './verify.ts';

/** An event, or what makes it of what the change came to; undefined where nothing has happened. */
export type EventFactory<Result> = AuditEvent | ((result: Result) => AuditEvent | undefined);

/** Notes what happens. */
export interface Audit {
  /** Runs a change of the metadata and notes its event, both or neither. */
  change<Result>(
    author: AuditActor,
    event: EventFactory<Result>,
    work: (trx: Db) => Promise<Result>,
  ): Promise<Result>;
  /** Notes an event in a transaction that is there. */
  note(trx: Db, author: AuditActor, event: AuditEvent): Promise<void>;
  /** Notes what changes nothing in the metadata. It is on disk when this resolves; many are noted together. */
  tell(author: AuditActor, event: AuditEvent): Promise<void>;
}

/** The log as a whole. */
export interface AuditLog extends Audit {
  /** Has all that was noted so far be found. */
  settle(): Promise<void>;
  /** Removes what is older than it is to be kept. */
  retain(): Promise<void>;
  /** Runs work while the log stands still: what is noted meanwhile waits. */
  still<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Checks the chains of all workspaces. */
  verify(): Promise<ChainReport[]>;
  /** Begins the list of workspaces that have a chain, as they are, and says so in the log. @returns false where there is one already */
  beginList(): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
}

export interface AuditDeps extends Pick<Runtime, 'clock' | 'ids'> {
  db: Db;
  store: AuditStore;
  secrets: SecretBox;
  logger: Pick<Logger, 'error'>;
}

const moveEveryMs = 1000;
/** What was not committed yet when it was looked for, or could not be moved, is moved after so long. */
const lookAgainEveryMs = 30_000;
const retainEveryMs = 60 * 60_000;
const cannotStore = 'audit events could not be stored yet';

export const createAuditLog = ({ db, store, secrets, clock, ids, logger }: AuditDeps): AuditLog => {
  const outbox = createAuditOutbox(db);
  const folder = databaseFolder(db);
  const brokenOff = (): void =>
    logger.error({}, 'a line of the journal of audit events was broken off, and is passed over');
  const journal = folder === undefined ? undefined : createJournal(folder, brokenOff);
  const chains = createAuditChainRepository(db, !isSingleProcess(db));
  const ends = createChainEnds(chains, secrets);
  const configs = createAuditConfigRepository(db);
  const timers: NodeJS.Timeout[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let hasNews = true;
  let gathered: { rows: PendingEvent[]; noted: Promise<void> } | undefined;
  let noting: Promise<unknown> = Promise.resolve();

  /** One at a time, here and in other processes. */
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(() => chains.alone(work));
    turn = done.catch(() => undefined);
    return done;
  };
  const rowOf = (author: AuditActor, event: AuditEvent): PendingEvent => {
    const kept = toStoredEvent(author, event, ids.uuid(), clock.now());
    return { id: kept.id, workspaceUid: kept.workspace, event: JSON.stringify(kept) };
  };
  const add = async (trx: Db, rows: readonly PendingEvent[]): Promise<void> => {
    await createAuditOutbox(trx).add(rows);
    hasNews = true;
  };
  const takeJournal = async (): Promise<void> => journal?.take(outbox.add);
  const settle = (): Promise<void> =>
    alone(async () => {
      hasNews = false;
      await takeJournal();
      await appendPendingEvents({ outbox, ends, store, logger });
    });
  const retain = (): Promise<void> => alone(() => removeExpired({ configs, ends, store, now: clock.now() }));

  /** Adds it with others by one statement. What comes with the same turn of the loop goes with it. */
  const gather = (row: PendingEvent): Promise<void> => {
    if (gathered !== undefined) {
      gathered.rows.push(row);
      return gathered.noted;
    }
    const rows = [row];
    const noted = noting
      .then(() => setImmediate())
      .then(() => {
        gathered = undefined;
        return add(db, rows);
      });
    noting = noted.catch(() => undefined);
    gathered = { rows, noted };
    return noted;
  };

  const every = (milliseconds: number, fault: string, work: () => Promise<void> | undefined): void => {
    const run = (): void => {
      work()?.catch((error: unknown) => logger.error({ err: error }, fault));
    };
    timers.push(setInterval(run, milliseconds).unref());
  };

  return {
    change: (author, event, work) =>
      db.transaction().execute(async (trx) => {
        const result = await work(trx);
        const happened = typeof event === 'function' ? event(result) : event;
        if (happened !== undefined) await add(trx, [rowOf(author, happened)]);
        return result;
      }),
    note: (trx, author, event) => add(trx, [rowOf(author, event)]),
    tell: async (author, event) => {
      const row = rowOf(author, event);
      if (journal === undefined) return gather(row);
      journal.add(row);
      hasNews = true;
    },
    settle,
    retain,
    still: (work) =>
      alone(async () => {
        await takeJournal();
        return work();
      }),
    beginList: async () => {
      const isBegun = await alone(async () => {
        if ((await ends.listed()) !== undefined) return false;
        const workspaces = new Set([...(await ends.workspaces()), ...(await store.workspaces())]);
        await ends.list([...workspaces].toSorted());
        return true;
      });
      if (isBegun) {
        const operator = { accountId: undefined, email: '', workspace: undefined };
        const description = 'began the list of workspaces that have events';
        const event: AuditEvent = {
          type: 'AuditLogConfigManagement',
          description,
          details: { by: 'operator' },
        };
        await add(db, [rowOf(operator, event)]);
      }
      return isBegun;
    },
    verify: async () => {
      await settle();
      return alone(() => verifyChains({ ends, store }));
    },
    start: () => {
      every(moveEveryMs, cannotStore, () => (hasNews ? settle() : undefined));
      every(lookAgainEveryMs, cannotStore, settle);
      every(retainEveryMs, 'old audit events could not be removed', retain);
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await noting;
      // What cannot be taken now stays in its file until the next start.
      await alone(takeJournal).catch((error: unknown) => logger.error({ err: error }, cannotStore));
    },
  };
};
