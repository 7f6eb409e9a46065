/** One setting of the server, read from the environment variable of that name. */
export interface Setting<T> {
  /** What it does, for the settings table of the documentation. */
  description: string;
  /** The default in words, for the documentation and for errors. */
  default: string;
  /**
   * Parses the value of the variable, or undefined if it is not set.
   * @throws SettingMismatch for a value that it does not accept
   */
  read(text: string | undefined): T;
}

/**
 * Defines a setting; a function only so that TypeScript infers the type of the value from `read`.
 * ```ts
 * PORT: define({ description: 'The port to listen on.', default: '7600', read: integer(0, 65_535, 7600) }),
 * ```
 */
export const define = <T>(setting: Setting<T>): Setting<T> => setting;
