/** A limited resource of the server, such as processes, with a limit for each person. */
export interface PersonShares {
  /** Takes an amount for a person. @returns which limit is exhausted, in which case nothing is taken; undefined on success */
  take(accountId: string, amount: number): 'person' | 'server' | undefined;
  /** Gives an amount back. */
  giveBack(accountId: string, amount: number): void;
}

export const createPersonShares = ({
  perPerson,
  total = Infinity,
}: {
  perPerson: number;
  total?: number;
}): PersonShares => {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (accountId, amount) => {
      const own = (taken.get(accountId) ?? 0) + amount;
      if (own > perPerson) return 'person';
      if (all + amount > total) return 'server';
      taken.set(accountId, own);
      all += amount;
      return undefined;
    },
    giveBack: (accountId, amount) => {
      const own = (taken.get(accountId) ?? 0) - amount;
      if (own > 0) taken.set(accountId, own);
      else taken.delete(accountId);
      all -= amount;
    },
  };
};

/**
 * Runs work while the person holds a share.
 * @param errorOf makes the error for an exhausted limit
 * @throws that error
 */
export const withShare = async <Result>(
  shares: PersonShares,
  accountId: string,
  errorOf: (exhausted: 'person' | 'server') => Error,
  work: () => Promise<Result>,
): Promise<Result> => {
  const exhausted = shares.take(accountId, 1);
  if (exhausted !== undefined) throw errorOf(exhausted);
  try {
    return await work();
  } finally {
    shares.giveBack(accountId, 1);
  }
};
