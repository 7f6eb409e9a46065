import { deepEqual, equal, ok } from 'node:assert/strict';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';
import { testEpoch } from './runtime.ts';
import { createSender, type Send, type ObservedResponse, type WorldRequest } from '@redoubt/testkit';

/**
 * Two servers, alike in everything but what one actor may not see: the second world holds that too. Clock, ids and
 * randomness start anew, and alike, with every step, so that answers can be compared byte for byte.
 */
export interface TwoWorlds {
  /**
   * Does the same in both worlds, and fails unless it comes to the same. `isSecond` is for what the actor under test must not
   * notice although it comes with what they see.
   */
  both<T>(step: string, act: (send: Send, isSecond: boolean) => Promise<T>): Promise<T>;
  /** Does something in the second world alone: what the actor under test must not notice. */
  hidden<T>(step: string, act: (send: Send) => Promise<T>): Promise<T>;
  /** Sends one request in both worlds, fails unless every byte of the answers is the same, and gives the answer. */
  same(step: string, request: WorldRequest): Promise<ObservedResponse>;
  /** What both have logged. */
  log(): string;
  close(): Promise<void>;
}

/** Headers that tell of the connection and the hour, not of the data. */
const unrelatedHeaders = new Set(['date', 'connection', 'keep-alive']);

/** Sends to one world, and gives of the answer what must be the same in both. */
const sendTo = (server: TestServer): Send => {
  const send = createSender(server);
  return async (request) => {
    const response = await send(request);
    // Jobs and mail read the clock: the next request comes when they are done.
    await server.jobsSettled();
    await server.mailSettled();
    return { ...response, headers: response.headers.filter(([name]) => !unrelatedHeaders.has(name)) };
  };
};

/** Where two texts part, with what stands around: answers are too long to be shown whole. */
const firstDifference = (first: string, second: string): string => {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 300), at + 300);
  return `without: …${around(first)}…\nwith:    …${around(second)}…`;
};

const stepMilliseconds = 10_000;

/** @param ofSecond what is another in the second world, and cannot be seen: where its mail goes */
export const startTwoWorlds = async (
  given: TestServerOptions = {},
  ofSecond: Pick<TestServerOptions, 'mail'> = {},
): Promise<TwoWorlds> => {
  // Each listens on a port of its own, and answers hold links.
  const options = { publicUrl: 'http://one-of-two.example', isUntimed: true, ...given };
  const [first, second] = await Promise.all([startServer(options), startServer({ ...options, ...ofSecond })]);
  let steps = 0;
  let hiddenSteps = 0;
  // The number makes the ids of each step others: what is made in one is not met again in the next of that name.
  const begin = (server: TestServer, step: string): Send => {
    server.runtime.reseed(`${steps} ${step}`);
    server.runtime.clock.set(new Date(testEpoch.getTime() + steps * stepMilliseconds));
    return sendTo(server);
  };
  return {
    both: async (step, act) => {
      steps += 1;
      const inFirst = await act(begin(first, step), false);
      const inSecond = await act(begin(second, step), true);
      deepEqual(inSecond, inFirst, `the two worlds part in the step "${step}"`);
      return inFirst;
    },
    hidden: (step, act) => act(begin(second, `hidden/${(hiddenSteps += 1)} ${step}`)),
    same: async (step, request) => {
      steps += 1;
      const [inFirst, inSecond] = await Promise.all([
        begin(first, step)(request),
        begin(second, step)(request),
      ]);
      equal(inSecond.status, inFirst.status, `${step}: the status tells what is hidden`);
      const isSame = inSecond.body === inFirst.body;
      ok(isSame, `${step}: the body tells what is hidden\n${firstDifference(inFirst.body, inSecond.body)}`);
      deepEqual(inSecond.headers, inFirst.headers, `${step}: the headers tell what is hidden`);
      return inFirst;
    },
    log: () => [...first.log, ...second.log].join(''),
    close: async () => {
      await Promise.all([first.close(), second.close()]);
    },
  };
};
