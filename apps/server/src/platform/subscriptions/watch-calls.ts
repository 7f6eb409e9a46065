import type { RouteDescriptor } from '@redoubt/contract';
import type { FastifyReply } from 'fastify';
import type { Around } from '../http/around.ts';
import type { Meter } from '../metering/index.ts';
import type { Standing } from './standing.repository.ts';
import { closedFault, isClosed, type Standings } from './standings.ts';
import type { Turns } from './turns.ts';

const warningHeader = 'redoubt-billing-warning';

const warnings: Partial<Record<Standing['status'], string>> = {
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
export const createWatchCalls =
  ({ meter, standings, turns }: { meter: Meter; standings: Standings; turns: Turns }): Around =>
  async ({ route, actor, reply }, answer) => {
    const { accountId, workspace } = actor;
    const workspaceUid = workspace.uniqueId;
    countBytes(meter, workspaceUid, reply);
    const standing = await standings.of(workspaceUid);
    const warning = standing && warnings[standing.status];
    if (warning !== undefined) reply.header(warningHeader, warning);
    if (isClosed(standing) && mayChange(route)) throw closedFault(standing);
    const bound = route.runsQuery === true ? standing?.concurrency : undefined;
    if (typeof bound === 'number') {
      const gone = new AbortController();
      whenSent(reply, () => gone.abort());
      const release = await turns.take({ workspaceUid, person: accountId, bound, signal: gone.signal });
      whenSent(reply, release);
    }
    return meter.within(workspaceUid, answer);
  };
