/** The time. Injected, so that tests can compare two servers byte for byte. */
export interface Clock {
  now(): Date;
}

export interface Ids {
  /** A new random UUID (version 4). */
  uuid(): string;
}

export interface Random {
  /** `size` bytes that nobody can guess. */
  bytes(size: number): Buffer;
}

/** What a server takes from its surroundings and cannot compute. */
export interface Runtime {
  clock: Clock;
  ids: Ids;
  random: Random;
}
