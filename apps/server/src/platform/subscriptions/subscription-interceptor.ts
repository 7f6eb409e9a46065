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
    'past_due: the last payment failed; pay it with POST /billing/portal, or the workspace becomes read-only soon',
  unpaid: 'unpaid: the workspace is read-only until it is paid with POST /billing/portal',
  canceled:
    'canceled: the workspace is read-only until a new subscription starts with POST /billing/checkout',
  incomplete_expired:
    'incomplete_expired: the workspace is read-only until a new subscription starts with POST /billing/checkout',
};

const mayChange = ({ method, runsQuery, staysOpen }: RouteDescriptor): boolean =>
  method !== 'GET' && runsQuery !== true && staysOpen !== true;

/** Calls `work` when the response was sent or its connection closed. */
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

/** Meters calls, and applies the subscription of their workspace to them. */
export const createSubscriptionInterceptor =
  ({
    meter,
    states,
    limiter,
  }: {
    meter: Meter;
    states: SubscriptionStates;
    limiter: ConcurrencyLimiter;
  }): CallInterceptor =>
  async ({ route, actor, reply }, proceed) => {
    const { accountId, workspace } = actor;
    const workspaceUid = workspace.uniqueId;
    countBytes(meter, workspaceUid, reply);
    const state = await states.of(workspaceUid);
    const warning = state && warnings[state.status];
    if (warning !== undefined) reply.header(warningHeader, warning);
    if (isReadOnly(state) && mayChange(route)) throw readOnlyError(state);
    const limit = route.runsQuery === true ? state?.concurrency : undefined;
    if (typeof limit === 'number') {
      const disconnected = new AbortController();
      whenSent(reply, () => disconnected.abort());
      const release = await limiter.acquire({
        workspaceUid,
        person: accountId,
        limit,
        signal: disconnected.signal,
      });
      whenSent(reply, release);
    }
    return meter.within(workspaceUid, proceed);
  };
