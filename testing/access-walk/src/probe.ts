import type { Send } from '@redoubt/testkit/requests';
import type { AccessFixture, TestActor } from './access-fixture.ts';

/** What is sent, beside what the route says. */
export interface ProbeRequest {
  /** What stands in the braces of the path. */
  params?: Readonly<Record<string, string>>;
  /** With the question mark. */
  search?: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Something that a call can be about, and the request that would be right for whoever may make it. */
export interface Target {
  ask: ProbeRequest | ((caller: TestActor) => ProbeRequest | Promise<ProbeRequest>);
  /** What a list has to hold for those by whom it is found, and for nobody else. */
  listed?: string;
  /** Who stands in for somebody of the house: the person concerned, mostly. */
  instead?: Readonly<Record<string, TestActor>>;
}

/** How a call is tried. */
export interface Probe {
  /** Makes what the call is about, anew whenever a call has changed it. */
  make: (house: AccessFixture, send: Send) => Promise<Target>;
  /** Statuses that show that the call was let through, where it cannot succeed here. */
  letThrough?: readonly number[];
  /** Who is left out, because their success takes more than a request. */
  without?: readonly string[];
}

/** A probe of what is there already. */
export const standing = (target: (house: AccessFixture) => Target): Probe => ({
  make: async (house) => target(house),
});

let made = 0;

/** A name that nothing has yet. */
export const fresh = (name: string): string => `${name}-${(made += 1)}`;
