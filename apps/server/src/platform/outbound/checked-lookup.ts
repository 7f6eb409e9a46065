import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { OutboundError } from './outbound-error.ts';

type Lookup = NonNullable<RequestOptions['lookup']>;

/** The addresses of a name; all of them must be such as may be called, and the connection is made to one of these. */
export const checkedLookup =
  (mayCall: (address: string) => boolean): Lookup =>
  (name, options, done) => {
    resolveName(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const [first] = error === null ? found : [];
      if (first === undefined) return done(new OutboundError(`The name ${name} is not known`), '', 0);
      if (!found.every(({ address }) => mayCall(address)))
        return done(new OutboundError(`The name ${name} leads to addresses that are not called`), '', 0);
      return options.all === true ? done(null, found) : done(null, first.address, first.family);
    });
  };
