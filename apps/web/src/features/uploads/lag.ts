import type { Segment } from '@redoubt/contract';

/**
 * How many messages of topics are left to read, as the segment with the highest number tells.
 * Undefined for other sources, and where the server does not tell.
 */
export const lagOf = (segments: readonly Pick<Segment, 'config'>[]): number | undefined => {
  let last = 0;
  let lag: number | undefined;
  for (const { config } of segments) {
    const number = Number(config?.['number']);
    if (typeof config?.['lag'] !== 'string' || !(number > last)) continue;
    last = number;
    lag = Number(config['lag']);
  }
  return lag;
};
