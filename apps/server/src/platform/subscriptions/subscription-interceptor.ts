import type { RouteDescriptor } from '@redoubt/contract';
import type { FastifyReply } from 'fastify';
import type { CallInterceptor } from '../http/call-interceptor.ts';
import type { Meter } from '../metering/index.ts';
import type { SubscriptionState } from './subscription-state.repository.ts';
import { readOnlyError, isReadOnly, type SubscriptionStates } from './subscription-states.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';

const warningHeader = 'redoubt-billing-warning';

const warnings: Partial<Record<SubscriptionState['status'], string>> = {
  past_due:
    'past_due: the last payment has failed; unless it is paid by POST /billing/portal, the workspace can soon only be read',
  unpaid: 'unpaid: the workspace can only be read until it is paid by POST /billing/portal',
  canceled: 'canceled: the workspace can only be read until a subscription begins by POST /billing/checkout',
  incomplete_expired:
    'incomplete_expired: the workspace can only be read until a subscription begins by POST /billing/checkout',
};

const mayChange = ({ method, runsQuery, staysOpen }: RouteDescriptor): boolean =>
  method !== 'GET' && runsQuery !== true && staysOpen !== true;

/** Calls `work` when nothing more of the answer is to be sent. */
const whenSent = ({ raw }: FastifyReply, work: () => void): void => {
  if (raw.destroyed || raw.closed) work();
  else raw.once('close', work);
};

const countBytes = (meter: Meter, workspaceUid: string, reply: FastifyReply): void => {
  const { socket } = reply.raw;
  if (socket === null) return;
  const before = socket.bytesWritten;
  whenSent(reply, () => meter.add(workspaceUid, 'network', socket.bytesWritten - before));
};

/** Measures what calls use, and holds them to the subscription of their workspace. */
export const createSubscriptionInterceptor =
  ({
    meter,
    standings,
    turns,
  }: {
    meter: Meter;
    standings: SubscriptionStates;
    turns: ConcurrencyLimiter;
  }): CallInterceptor =>
  async ({ route, actor, reply }, answer) => {
    const { accountId, workspace } = actor;
    const workspaceUid = workspace.uniqueId;
    countBytes(meter, workspaceUid, reply);
    const standing = await standings.of(workspaceUid);
    const warning = standing && warnings[standing.status];
    if (warning !== undefined) reply.header(warningHeader, warning);
    if (isReadOnly(standing) && mayChange(route)) throw readOnlyError(standing);
    const bound = route.runsQuery === true ? standing?.concurrency : undefined;
    if (typeof bound === 'number') {
      const gone = new AbortController();
      whenSent(reply, () => gone.abort());
      const release = await turns.take({ workspaceUid, person: accountId, bound, signal: gone.signal });
      whenSent(reply, release);
    }
    return meter.within(workspaceUid, answer);
  };
