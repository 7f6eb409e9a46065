import { deepEqual, equal } from 'node:assert/strict';
import type { WireResponse, SendToBoth, Request } from '@redoubt/testkit/requests';

/**
 * Sends the same request about a hidden object and about an absent one. The responses must be equal, except that each
 * may contain the id that was sent.
 */
export const compareHiddenAndAbsent = async (
  send: SendToBoth,
  hidden: string,
  absent: string,
  request: (id: string) => Request,
): Promise<WireResponse> => {
  const ofHidden = await send(request(hidden));
  const ofAbsent = await send(request(absent));
  equal(ofHidden.status, ofAbsent.status);
  equal(ofHidden.body.replaceAll(hidden, 'the id'), ofAbsent.body.replaceAll(absent, 'the id'));
  return ofHidden;
};

/** Changes the last digit of an existing id, which gives an absent id. */
export const neighbourOf = (id: string): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');

/** Asserts that the pages together are the complete list. */
export const expectWhole = <T>(pages: readonly (readonly T[])[], whole: readonly T[]): void => {
  deepEqual(pages.flat(), whole);
};
