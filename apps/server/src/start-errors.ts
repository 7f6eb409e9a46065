import { EngineOpenError } from '@redoubt/records';
import { ConfigError, type Config } from './platform/config/index.ts';

/** The message of the innermost cause, such as a refused connection: whoever starts the server can act on that. */
export const rootMessage = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return rootMessage(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown error';
  return error.cause === undefined ? error.message : rootMessage(error.cause);
};

/** A failed start as one line that says what to do, where the cause is one of the settings or the machine. */
export const toStartError = (error: unknown, config: Config): unknown => {
  if (error instanceof EngineOpenError) return new ConfigError(error.message);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const place = `${config.HOST}:${config.PORT}`;
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${config.PORT} is in use: stop what listens on ${place}, or set PORT to another one.`,
      );
    case 'EACCES':
      return new ConfigError(`This user may not listen on ${place}: set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `HOST ${config.HOST} is no address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
      );
    default:
      return error;
  }
};
