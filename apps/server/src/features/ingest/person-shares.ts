/** Something that the server has a limited amount of, such as processes, and of which a person may have a part. */
export interface PersonShares {
  /** Takes an amount for a person. @returns what is exhausted, if so: then nothing is taken */
  take(accountId: string, amount: number): 'person' | 'server' | undefined;
  /** Returns an amount that was taken. */
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
