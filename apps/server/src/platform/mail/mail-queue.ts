import { notImplemented } from '@redoubt/errors';
import type { Db } from '../db/database.ts';
import type { Logger } from '../log/logger.ts';
import type { Runtime } from '../runtime.ts';
import { createMailOutboxRepository, type PendingMail } from './mail-outbox.repository.ts';
import type { Mail, MailTransport } from './smtp.ts';

export type MailKind =
  | 'invitation'
  | 'verify-email'
  | 'leave-email'
  | 'take-email'
  | 'email-changed'
  | 'reset-password'
  | 'password-changed'
  | 'schedule-failed';

/**
 * Renders the mail right before it is sent, with a link that is created then, so that no link is ever stored.
 * @param about the data that `add` got, as JSON
 * @returns undefined if there is nothing left to send
 */
export type MailTemplate = (about: string, attempt: number) => Promise<Mail | undefined>;

/** Mail waits in a table until a mail server accepts it. It is added in the transaction of the change that it reports. */
export interface MailQueue {
  /** Whether this server sends mail at all. */
  sends: boolean;
  /** Registers the template of a kind of mail. */
  compose(kind: MailKind, template: MailTemplate): void;
  /** Adds a mail, if this server sends any. Call `wake` after the transaction has ended. */
  add(trx: Db, kind: MailKind, about: Record<string, string>): Promise<void>;
  /** Sends due mail now instead of at the next poll. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
  /** Resolves when no mail is being sent and none is due. */
  settled(): Promise<void>;
}

const minute = 60_000;
/** Longer than the timeouts of a mail server. */
const leaseMilliseconds = 5 * minute;
/** The backoff after each failure; after the last one the mail is discarded. */
const backoffs = [1, 2, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minute);
const pollMilliseconds = 15_000;

/**
 * @throws NotImplementedError 501 if this server sends no mail; `consequence` completes "This server sends no mail, so
 * …"
 */
export const requireMail = ({ sends }: Pick<MailQueue, 'sends'>, consequence: string): void => {
  if (!sends) throw notImplemented(`This server sends no mail (setting SMTP_URL), so ${consequence}.`);
};

/** @param transport undefined if no mail is sent */
export const createMailQueue = ({
  db,
  transport,
  runtime,
  logger,
}: {
  db: Db;
  transport: MailTransport | undefined;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
  logger: Pick<Logger, 'warn' | 'error'>;
}): MailQueue => {
  const outbox = createMailOutboxRepository(db);
  const templates = new Map<string, MailTemplate>();
  const state = { isStarted: false, isAwakened: false };
  const now: { running?: Promise<void>; timer?: NodeJS.Timeout } = {};
  const after = (milliseconds: number): Date => new Date(runtime.clock.now().getTime() + milliseconds);

  const send = async (through: MailTransport, waiting: PendingMail): Promise<void> => {
    const { id, kind, about, attempts } = waiting;
    try {
      const template = templates.get(kind);
      if (template === undefined) throw new Error(`There is no template for mail of the kind ${kind}.`);
      const mail = await template(about, attempts);
      if (mail !== undefined) await through.send(mail);
      await outbox.remove(id);
    } catch (error) {
      const backoff = backoffs[attempts - 1];
      // The message of a mail server can quote the mail, so only the code is logged.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const details = { mail: id, kind, attempts, code };
      if (backoff === undefined) {
        logger.error(details, 'could not send a mail; discarding it');
        await outbox.remove(id);
      } else {
        logger.warn(details, 'could not send a mail; trying again later');
        await outbox.postpone(id, after(backoff));
      }
    }
  };

  const work = async (through: MailTransport): Promise<void> => {
    do {
      state.isAwakened = false;
      for (;;) {
        const time = runtime.clock.now();
        if (!state.isStarted || !(await outbox.hasDue(time))) break;
        const waiting = await outbox.claim(time, after(leaseMilliseconds));
        if (waiting !== undefined) await send(through, waiting);
      }
    } while (state.isAwakened && state.isStarted);
  };

  const wake = (): void => {
    if (!state.isStarted || transport === undefined) return;
    state.isAwakened = true;
    now.running ??= work(transport)
      .catch((error: unknown) => logger.error({ err: error }, 'could not look for mail to send'))
      .finally(() => {
        delete now.running;
        // A mail may have been added after the last check.
        if (state.isAwakened) wake();
      });
  };

  return {
    sends: transport !== undefined,
    compose: (kind, template) => void templates.set(kind, template),
    add: async (trx, kind, about) => {
      if (transport === undefined) return;
      const id = runtime.ids.uuid();
      const mail = { id, kind, about: JSON.stringify(about), now: runtime.clock.now() };
      await createMailOutboxRepository(trx).add(mail);
    },
    wake,
    start: () => {
      if (transport === undefined) return;
      state.isStarted = true;
      now.timer = setInterval(wake, pollMilliseconds).unref();
      setImmediate(wake);
    },
    stop: async () => {
      state.isStarted = false;
      clearInterval(now.timer);
      await now.running;
      transport?.close();
    },
    settled: async () => {
      while (now.running !== undefined) await now.running;
    },
  };
};
