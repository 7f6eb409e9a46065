import { EngineOpenError } from '@redoubt/records';
import { ConfigError, type Config } from './platform/config/index.ts';

/**
 * The message of the innermost cause, such as a rejected connection: the person who starts the server can act on that.
 */
export const rootMessage = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return rootMessage(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown error';
  return error.cause === undefined ? error.message : rootMessage(error.cause);
};

/**
 * Turns an error into one line that says what to do, if a setting or the machine caused it; returns other errors
 * unchanged.
 */
export const toStartError = (error: unknown, config: Config): unknown => {
  if (error instanceof EngineOpenError) return new ConfigError(error.message);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const place = `${config.HOST}:${config.PORT}`;
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${config.PORT} is in use. Stop the program that listens on ${place}, or set PORT to another port.`,
      );
    case 'EACCES':
      return new ConfigError(`This user may not listen on ${place}. Set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `HOST must be an address of this machine, got "${config.HOST}". Set HOST to 127.0.0.1 or 0.0.0.0.`,
      );
    default:
      return error;
  }
};
