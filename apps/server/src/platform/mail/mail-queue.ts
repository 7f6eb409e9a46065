import { notImplemented } from '@redoubt/errors';
import type { Db } from '../db/database.ts';
import type { Logger } from '../log/logger.ts';
import type { Runtime } from '../runtime.ts';
import { createMailOutboxRepository, type PendingMail } from './mail-outbox.repository.ts';
import type { Mail, MailTransport } from './smtp.ts';

/** Every kind of mail. */
export type MailKind =
  | 'invitation'
  | 'verify-email'
  | 'leave-email'
  | 'take-email'
  | 'email-changed'
  | 'reset-password'
  | 'password-changed';

/**
 * Writes the mail when it is about to be sent, with a link made then, so that no link is kept anywhere. Undefined where there
 * is nothing to send any more.
 * @param about what `add` was given
 */
export type MailTemplate = (about: string, attempt: number) => Promise<Mail | undefined>;

/** Mail waits in a table until a mail server has taken it: it is added in the transaction that it tells of. */
export interface MailQueue {
  /** Whether this server sends mail at all. */
  sends: boolean;
  /** Says who writes mail of a kind. */
  compose(kind: MailKind, composer: MailTemplate): void;
  /** Adds a mail, where this server sends any. `wake` once the transaction has ended. */
  add(trx: Db, kind: MailKind, about: Record<string, string>): Promise<void>;
  /** Looks at once for mail to send. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
  /** Resolves when nothing is being sent and nothing that is due waits. */
  settled(): Promise<void>;
}

const minute = 60_000;
/** Longer than a mail server is waited for. */
const leaseMilliseconds = 5 * minute;
/** How long to wait after each failure; after the last one the mail is given up. */
const pauses = [1, 2, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minute);
const lookMilliseconds = 15_000;

/** @throws NotImplementedError 501 unless mail is sent; `deed` completes "This server sends no mail, so …". */
export const requireMail = ({ sends }: Pick<MailQueue, 'sends'>, deed: string): void => {
  if (!sends) throw notImplemented(`This server sends no mail (setting SMTP_URL), so ${deed}.`);
};

/** @param transport undefined where no mail is sent */
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
  const composers = new Map<string, MailTemplate>();
  const state = { isStarted: false, isAwakened: false };
  const now: { running?: Promise<void>; timer?: NodeJS.Timeout } = {};
  const after = (milliseconds: number): Date => new Date(runtime.clock.now().getTime() + milliseconds);

  const send = async (through: MailTransport, waiting: PendingMail): Promise<void> => {
    const { id, kind, about, attempts } = waiting;
    try {
      const composer = composers.get(kind);
      if (composer === undefined) throw new Error(`nobody writes mail of kind ${kind}`);
      const mail = await composer(about, attempts);
      if (mail !== undefined) await through.send(mail);
      await outbox.remove(id);
    } catch (error) {
      const pause = pauses[attempts - 1];
      // What a mail server says can quote the mail.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const fault = { mail: id, kind, attempts, code };
      if (pause === undefined) {
        logger.error(fault, 'a mail could not be sent and is given up');
        await outbox.remove(id);
      } else {
        logger.warn(fault, 'a mail could not be sent and is tried again');
        await outbox.postpone(id, after(pause));
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
      .catch((error: unknown) => logger.error({ err: error }, 'mail could not be looked for'))
      .finally(() => {
        delete now.running;
        // Somebody may have added a mail after the last look.
        if (state.isAwakened) wake();
      });
  };

  return {
    sends: transport !== undefined,
    compose: (kind, composer) => void composers.set(kind, composer),
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
      now.timer = setInterval(wake, lookMilliseconds).unref();
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
