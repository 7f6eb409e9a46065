import type { ConnectionAllowed } from '@redoubt/contract';
import { badField } from '@redoubt/errors';

type Info = Readonly<Record<string, unknown>>;

/** How a kind of source is used through stored connections. */
export interface StoredKind {
  /** The fields of connectionInfo that a connection holds. A request sends the others. */
  fields: readonly string[];
  /** The list of `allowed` that the kind can honour. */
  restriction: keyof ConnectionAllowed;
  /**
   * Checks what a connection is to hold.
   * @returns what people who may use it see of it: nothing secret
   * @throws RedoubtError 400 that names the field of connectionInfo or allowed
   */
  describe(stored: Info, allowed: ConnectionAllowed | null): Readonly<Record<string, unknown>>;
  /** Fields of a request whose outcome depends on the values of rows. */
  computedFields?: readonly string[];
  /** Where the secrets of a connection are sent, if `allowed` says so instead of connectionInfo. */
  originsOf?(allowed: ConnectionAllowed | null): string[];
  /** Joins both parts of connectionInfo. By default their fields are put together. */
  join?(stored: Info, requested: Info): Record<string, unknown>;
  /** The request's part of a joined connectionInfo. By default the fields of the connection are left out. */
  toRequest?(joined: Info): Record<string, unknown>;
  /** Connects, and lists some of what requests may read. @throws RedoubtError that says what failed */
  find(stored: Info, allowed: ConnectionAllowed | null, signal: AbortSignal): AsyncIterable<string>;
}

/** @throws RedoubtError 400 where the request sends a field of the connection */
export const joinConnection = (kind: StoredKind, stored: Info, requested: Info): Record<string, unknown> => {
  const taken = kind.fields.find((field) => Object.hasOwn(requested, field));
  if (taken !== undefined) {
    throw badField(
      `dataSourceParams.connectionInfo.${taken}`,
      'must not be sent with connectionId, because the connection holds it. Leave it out, or send connectionInfo without connectionId.',
    );
  }
  return kind.join?.(stored, requested) ?? { ...requested, ...stored };
};

/** The part of a joined connectionInfo that is stored with a job. */
export const requestOf = (kind: StoredKind, joined: Info): Record<string, unknown> =>
  kind.toRequest?.(joined) ??
  Object.fromEntries(Object.entries(joined).filter(([field]) => !kind.fields.includes(field)));
