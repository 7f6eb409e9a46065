/** The current time. Injected, so that tests can compare two servers byte for byte. */
export interface Clock {
  now(): Date;
}

export interface Ids {
  /** A new random UUID (version 4). */
  uuid(): string;
}

export interface Random {
  /** `size` cryptographically random bytes. */
  bytes(size: number): Buffer;
}

/** The sources of time and randomness of a server. */
export interface Runtime {
  clock: Clock;
  ids: Ids;
  random: Random;
}
