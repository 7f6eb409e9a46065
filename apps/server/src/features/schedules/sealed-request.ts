import type { ScheduledRequest } from '@redoubt/contract';
import { sealedLocation, type SecretBox } from '../../platform/secrets/index.ts';

const locationOf = (scheduleId: string): string => sealedLocation('schedules', 'sealed_request', scheduleId);

export const sealRequest = (
  secrets: Pick<SecretBox, 'seal'>,
  scheduleId: string,
  request: ScheduledRequest,
): string => secrets.seal(JSON.stringify(request), locationOf(scheduleId));

export const openRequest = (
  secrets: Pick<SecretBox, 'open'>,
  { id, sealedRequest }: { id: string; sealedRequest: string },
): ScheduledRequest => JSON.parse(secrets.open(sealedRequest, locationOf(id))) as ScheduledRequest;
