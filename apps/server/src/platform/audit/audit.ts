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

/** An event, or a function that creates it from the result of the change; undefined if nothing happened. */
export type EventFactory<Result> = AuditEvent | ((result: Result) => AuditEvent | undefined);

/** Writes audit events. */
export interface Audit {
  /**
   * Runs a change of the metadata and logs its event in the same transaction. If `work` throws, nothing is changed and
   * nothing is logged.
   * ```ts
   * await audit.change(actor, eventOf('created', row), (trx) => createRequestRepository(trx).create(row));
   * ```
   * @returns the result of `work`
   */
  change<Result>(
    author: AuditActor,
    event: EventFactory<Result>,
    work: (trx: Db) => Promise<Result>,
  ): Promise<Result>;
  /** Logs an event in `trx`, the transaction of its change. */
  note(trx: Db, author: AuditActor, event: AuditEvent): Promise<void>;
  /**
   * Logs an event without a change of the metadata. It is on disk when this resolves; concurrent calls share one
   * statement.
   */
  log(author: AuditActor, event: AuditEvent): Promise<void>;
}

/** The audit log of a server: writes, retention, verification. */
export interface AuditLog extends Audit {
  /** Makes everything logged so far searchable. */
  settle(): Promise<void>;
  /** Removes events that are older than their retention period. */
  retain(): Promise<void>;
  /** Runs `work` while nothing is added to the chains; events logged meanwhile wait in the outbox. */
  still<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Checks the chains of all workspaces. */
  verify(): Promise<ChainReport[]>;
  /** Creates the list of workspaces that have a chain and logs that. @returns false if there is a list already */
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

const appendEveryMs = 1000;
/**
 * How often to append pending events even if this process has logged none since: at the last time, the transaction of
 * an event may have been open, or the append may have failed.
 */
const recheckEveryMs = 30_000;
const retainEveryMs = 60 * 60_000;
const cannotStore = 'could not store audit events; trying again later';

/** Creates the audit log. It appends no events to the chains before `start` or `settle` is called. */
export const createAuditLog = ({ db, store, secrets, clock, ids, logger }: AuditDeps): AuditLog => {
  const outbox = createAuditOutbox(db);
  const folder = databaseFolder(db);
  const reportBrokenLine = (): void =>
    logger.error({}, 'skipped an incomplete line in the journal of audit events');
  const journal = folder === undefined ? undefined : createJournal(folder, reportBrokenLine);
  const chains = createAuditChainRepository(db, !isSingleProcess(db));
  const ends = createChainEnds(chains, secrets);
  const configs = createAuditConfigRepository(db);
  const timers: NodeJS.Timeout[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let hasPendingEvents = true;
  let batch: { rows: PendingEvent[]; added: Promise<void> } | undefined;
  let adding: Promise<unknown> = Promise.resolve();

  /** Runs one `work` at a time, across all processes. */
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
    hasPendingEvents = true;
  };
  const takeJournal = async (): Promise<void> => journal?.take(outbox.add);
  const settle = (): Promise<void> =>
    alone(async () => {
      hasPendingEvents = false;
      await takeJournal();
      await appendPendingEvents({ outbox, ends, store, logger });
    });
  const retain = (): Promise<void> => alone(() => removeExpired({ configs, ends, store, now: clock.now() }));

  /** Adds the event to the outbox. All events of the same turn of the event loop share one statement. */
  const addToBatch = (row: PendingEvent): Promise<void> => {
    if (batch !== undefined) {
      batch.rows.push(row);
      return batch.added;
    }
    const rows = [row];
    const added = adding
      .then(() => setImmediate())
      .then(() => {
        batch = undefined;
        return add(db, rows);
      });
    adding = added.catch(() => undefined);
    batch = { rows, added };
    return added;
  };

  const every = (milliseconds: number, failure: string, work: () => Promise<void> | undefined): void => {
    const run = (): void => {
      work()?.catch((error: unknown) => logger.error({ err: error }, failure));
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
    log: async (author, event) => {
      const row = rowOf(author, event);
      if (journal === undefined) return addToBatch(row);
      journal.add(row);
      hasPendingEvents = true;
    },
    settle,
    retain,
    still: (work) =>
      alone(async () => {
        await takeJournal();
        return work();
      }),
    beginList: async () => {
      const isCreated = await alone(async () => {
        if ((await ends.listed()) !== undefined) return false;
        const workspaces = new Set([...(await ends.workspaces()), ...(await store.workspaces())]);
        await ends.list([...workspaces].toSorted());
        return true;
      });
      if (isCreated) {
        const operator = { accountId: undefined, email: '', workspace: undefined };
        const description = 'created the list of workspaces that have events';
        const event: AuditEvent = {
          type: 'AuditLogConfigManagement',
          description,
          details: { by: 'operator' },
        };
        await add(db, [rowOf(operator, event)]);
      }
      return isCreated;
    },
    verify: async () => {
      await settle();
      return alone(() => verifyChains({ ends, store }));
    },
    start: () => {
      every(appendEveryMs, cannotStore, () => (hasPendingEvents ? settle() : undefined));
      every(recheckEveryMs, cannotStore, settle);
      every(retainEveryMs, 'could not remove old audit events', retain);
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await adding;
      // Events that cannot be stored now stay in the journal file until the next start.
      await alone(takeJournal).catch((error: unknown) => logger.error({ err: error }, cannotStore));
    },
  };
};
