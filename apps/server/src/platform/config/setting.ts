/** One setting of the server, read from the environment variable of that name. */
export interface Setting<T> {
  /** What it does, for the settings table of the documentation. */
  description: string;
  /** The default, in words. */
  default: string;
  /** Reads the text of the variable; throws a plain Error that says what is expected. */
  read(text: string | undefined): T;
}

export const define = <T>(setting: Setting<T>): Setting<T> => setting;
