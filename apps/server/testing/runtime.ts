import type { Clock, Ids, Random } from '../src/platform/runtime.ts';
import { createHash } from 'node:crypto';

/** A clock that only tests advance. Each reading is one millisecond after the previous one. */
export interface TestClock extends Clock {
  set(time: Date): void;
  advance(milliseconds: number): void;
}

export interface TestRuntime {
  clock: TestClock;
  ids: Ids;
  random: Random;
  /**
   * Restarts the ids and the randomness from `name`, so that two servers with different histories behave the same
   * from here on.
   */
  reseed(name: string): void;
}

/** The time at which test clocks start. */
export const testEpoch = new Date('2026-01-01T00:00:00.000Z');

const createTestClock = (): TestClock => {
  let time = testEpoch.getTime();
  return {
    now: () => new Date(time++),
    set: (to) => {
      time = to.getTime();
    },
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
};

/** Time, ids and randomness that are the same in every run. */
export const createTestRuntime = (seed = 'redoubt'): TestRuntime => {
  let prefix = seed;
  let counter = 0;
  const block = (): Buffer => createHash('sha256').update(`${prefix}/${counter++}`).digest();
  const bytes = (size: number): Buffer => {
    const blocks: Buffer[] = [];
    for (let have = 0; have < size; have += 32) blocks.push(block());
    return Buffer.concat(blocks).subarray(0, size);
  };
  return {
    clock: createTestClock(),
    random: { bytes },
    ids: {
      uuid: () => {
        const raw = bytes(16);
        raw.writeUInt8((raw.readUInt8(6) & 0x0f) | 0x40, 6);
        raw.writeUInt8((raw.readUInt8(8) & 0x3f) | 0x80, 8);
        return raw.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      },
    },
    reseed: (name) => {
      prefix = `${seed}/${name}`;
      counter = 0;
    },
  };
};
