import { tooMany } from '@redoubt/errors';

/** Limits the attempts with a password that run at once. */
export interface AttemptLimiter {
  /**
   * Runs an attempt of an address.
   * @throws ForbiddenError 429 before the attempt begins if too many are running
   */
  run<T>(source: string, attempt: () => Promise<T>): Promise<T>;
}

/** Maximum numbers of attempts that run at once in a process. */
export interface AttemptLimits {
  /** A part of the whole, so that no address keeps the others out. */
  perAddress: number;
  whole: number;
}

export const defaultAttemptLimits: AttemptLimits = { perAddress: 20, whole: 80 };

const retrySeconds = 1;

export const createAttemptLimiter = ({
  perAddress,
  whole,
}: AttemptLimits = defaultAttemptLimits): AttemptLimiter => {
  const tooManyAttempts = (): Error =>
    tooMany(
      `At most ${perAddress} requests with a password are checked at once for an address, and ${whole} for all, got more. Try again in ${retrySeconds} s.`,
      retrySeconds,
    );
  const running = new Map<string, number>();
  let all = 0;
  return {
    run: async (source, attempt) => {
      const own = running.get(source) ?? 0;
      if (all >= whole || own >= perAddress) throw tooManyAttempts();
      running.set(source, own + 1);
      all += 1;
      try {
        return await attempt();
      } finally {
        all -= 1;
        const others = (running.get(source) ?? 1) - 1;
        if (others === 0) running.delete(source);
        else running.set(source, others);
      }
    },
  };
};
