import type { Segment } from '@redoubt/contract';

/** How far a job that reads topics is. */
export interface KnownLag {
  /** The messages that were left when the last part was read; undefined before the first. */
  messages: number | undefined;
  /** The number of that part. */
  number: number;
  /** The ids of the segments that had not ended. */
  open: readonly string[];
}

/** The lag that the segment with the highest number tells, among these and the one that is known. */
export const lastLag = (
  segments: readonly Pick<Segment, 'config' | 'id' | 'status'>[],
  before: KnownLag | undefined,
): KnownLag => {
  let { messages, number } = before ?? { messages: undefined, number: 0 };
  for (const { config } of segments) {
    const found = Number(config?.['number']);
    if (typeof config?.['lag'] !== 'string' || !(found > number)) continue;
    number = found;
    messages = Number(config['lag']);
  }
  const open = segments.filter(({ status }) => status === 'queued' || status === 'running');
  return { messages, number, open: open.map(({ id }) => id) };
};
