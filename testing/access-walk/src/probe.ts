import type { Send } from '@redoubt/testkit/requests';
import type { AccessFixture, TestActor } from './access-fixture.ts';

/** The variable parts of a request. The route gives the method and the path. */
export interface ProbeRequest {
  /** The values of the path parameters. */
  params?: Readonly<Record<string, string>>;
  /** The query string, with its question mark. */
  search?: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** An object that a call acts on, and the request that succeeds for callers who may make the call. */
export interface Target {
  request: ProbeRequest | ((caller: TestActor) => ProbeRequest | Promise<ProbeRequest>);
  /** A text that a list contains for callers who can see the object, and for nobody else. */
  listed?: string;
  /** Actors that replace actors of the fixture, by their name; for example the account that the object is about. */
  instead?: Readonly<Record<string, TestActor>>;
}

/** How the access walk tests a call. */
export interface Probe {
  /** Creates the object of the call. Called again after a request that changed the object. */
  make: (fixture: AccessFixture, send: Send) => Promise<Target>;
  /** Statuses that show that access was allowed, for calls that cannot succeed in this test. */
  letThrough?: readonly number[];
  /** The names of actors to skip, because their success takes more than one request. */
  without?: readonly string[];
}

/** Creates a probe for an object that already exists in the fixture. */
export const standing = (target: (fixture: AccessFixture) => Target): Probe => ({
  make: async (fixture) => target(fixture),
});

let nameCount = 0;

/** Returns a name that is not used yet. */
export const fresh = (name: string): string => `${name}-${(nameCount += 1)}`;
