import { deepEqual, equal, ok } from 'node:assert/strict';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';
import { testEpoch } from './runtime.ts';
import { createSender, type Send, type ObservedResponse, type WorldRequest } from '@redoubt/testkit';

/**
 * Two servers with the same data, except that the second one also has objects that are hidden from one actor. Clock,
 * ids and randomness restart with the same values before every step, so that responses can be compared byte for byte.
 * ```ts
 * const worlds = await startTwoWorlds();
 * await worlds.hidden('a dataset of others', (send) => send(as(other).post('/datasets', body)));
 * await worlds.same('the list of datasets', as(reader).get('/datasets'));
 * ```
 */
export interface TwoWorlds {
  /**
   * Does the same in both worlds, and fails unless the results are equal. `isSecond` lets the second world add something
   * hidden within the same step.
   */
  both<T>(step: string, act: (send: Send, isSecond: boolean) => Promise<T>): Promise<T>;
  /** Does something in the second world only, which the actor under test must not notice. */
  hidden<T>(step: string, act: (send: Send) => Promise<T>): Promise<T>;
  /** Sends one request to both worlds and returns the response. Fails unless every byte is the same. */
  same(step: string, request: WorldRequest): Promise<ObservedResponse>;
  /**
   * Sends a request for a long response to both worlds, and does something in the second one while the response is sent.
   * Fails unless both responses end alike. Returns the text, or undefined if it was cut.
   */
  during(
    step: string,
    request: WorldRequest,
    act: (send: Send) => Promise<unknown>,
  ): Promise<string | undefined>;
  /** The log lines of both servers. */
  log(): string;
  close(): Promise<void>;
}

/** Headers about the connection and the time, not about the data. */
const unrelatedHeaders = new Set(['date', 'connection', 'keep-alive']);

/** Sends to one world, and returns the parts of the response that must be the same in both. */
const sendTo = (server: TestServer): Send => {
  const send = createSender(server);
  return async (request) => {
    const response = await send(request);
    // Jobs and mail read the clock, so wait for them before the next request.
    await server.jobsSettled();
    await server.mailSettled();
    return { ...response, headers: response.headers.filter(([name]) => !unrelatedHeaders.has(name)) };
  };
};

/** Shows where two texts begin to differ, with some context, because responses are too long to show whole. */
const firstDifference = (first: string, second: string): string => {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 300), at + 300);
  return `without: …${around(first)}…\nwith:    …${around(second)}…`;
};

const stepMilliseconds = 10_000;

/**
 * @param given options of both servers
 * @param ofSecond options of the second server alone that must have no visible effect: where its mail goes
 */
export const startTwoWorlds = async (
  given: TestServerOptions = {},
  ofSecond: Pick<TestServerOptions, 'mail'> = {},
): Promise<TwoWorlds> => {
  // Each server listens on its own port, and responses contain links.
  const options = { publicUrl: 'http://one-of-two.example', isUntimed: true, ...given };
  const [first, second] = await Promise.all([startServer(options), startServer({ ...options, ...ofSecond })]);
  let steps = 0;
  let hiddenSteps = 0;
  // The number makes the ids of each step different, so that two steps with the same name create different objects.
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
    during: async (step, { method, path, token = '', body }, act) => {
      steps += 1;
      const read = async (server: TestServer): Promise<string | undefined> => {
        const send = begin(server, step);
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const init = { method, headers, body: JSON.stringify(body) };
        const response = await fetch(`${server.url}${path}`, init);
        equal(response.status, 200);
        if (server === second) await act(send);
        // So that the server checks the reader's access before it sends the rest.
        server.runtime.clock.advance(stepMilliseconds);
        return response.text().catch(() => undefined);
      };
      const inFirst = await read(first);
      const inSecond = await read(second);
      ok(inSecond === inFirst, `${step}: the end of the response tells what is hidden`);
      return inFirst;
    },
    log: () => [...first.log, ...second.log].join(''),
    close: async () => {
      await Promise.all([first.close(), second.close()]);
    },
  };
};
