import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { OutboundError } from './outbound-error.ts';

type Lookup = NonNullable<RequestOptions['lookup']>;

/**
 * Failures are reported at multiples of this time, because the exact response time of a name server would disclose
 * which names exist in private networks.
 */
const failureStepMs = 1000;

/**
 * Resolves a name for a connection, and fails unless all of its addresses may be called. A name without an address and
 * a name in a private network get the same error, because different errors would disclose which names exist in that
 * network.
 */
export const checkedLookup =
  (mayCall: (address: string) => boolean): Lookup =>
  (name, options, done) => {
    const startedAt = performance.now();
    const fail = (): void => {
      const error = new OutboundError(
        `The name ${name} has no address, or has addresses that this server may not call`,
      );
      const passed = performance.now() - startedAt;
      setTimeout(() => done(error, '', 0), failureStepMs - (passed % failureStepMs));
    };
    resolveName(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const [first] = error === null ? found : [];
      if (first === undefined || !found.every(({ address }) => mayCall(address))) return fail();
      return options.all === true ? done(null, found) : done(null, first.address, first.family);
    });
  };
