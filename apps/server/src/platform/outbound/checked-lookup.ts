import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { OutboundError } from './outbound-error.ts';

type Lookup = NonNullable<RequestOptions['lookup']>;

/** Resolves a name for the connection, and fails unless all of its addresses may be called. */
export const checkedLookup =
  (mayCall: (address: string) => boolean): Lookup =>
  (name, options, done) => {
    resolveName(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const [first] = error === null ? found : [];
      if (first === undefined) return done(new OutboundError(`The name ${name} cannot be resolved`), '', 0);
      if (!found.every(({ address }) => mayCall(address)))
        return done(new OutboundError(`The name ${name} has addresses that this server may not call`), '', 0);
      return options.all === true ? done(null, found) : done(null, first.address, first.family);
    });
  };
