/** A fair lock with many readers or one writer. Both methods resolve to the function that releases it. */
export interface ReadWriteLock {
  share(): Promise<() => void>;
  own(): Promise<() => void>;
}

interface Waiting {
  isOwner: boolean;
  enter: () => void;
}

export function createReadWriteLock(): ReadWriteLock {
  const waiting: Waiting[] = [];
  let sharing = 0;
  let isOwned = false;

  function admit(): void {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (isOwned || (next.isOwner && sharing > 0)) return;
      waiting.shift();
      if (next.isOwner) isOwned = true;
      else sharing++;
      next.enter();
    }
  }

  const enter = async (isOwner: boolean): Promise<() => void> => {
    await new Promise<void>((resolve) => {
      waiting.push({ isOwner, enter: resolve });
      admit();
    });
    return () => {
      if (isOwner) isOwned = false;
      else sharing--;
      admit();
    };
  };

  return { share: async () => enter(false), own: async () => enter(true) };
}
