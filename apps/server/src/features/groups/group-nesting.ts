/** The group `childId` is directly in the group `parentId`. */
export interface GroupEdge {
  childId: string;
  parentId: string;
}

/**
 * Finds a shortest chain of nested groups from `outerId` down to `innerId`; undefined if there is none.
 * A group counts as being in itself.
 */
export const findGroupPath = (
  nestings: readonly GroupEdge[],
  outerId: string,
  innerId: string,
): string[] | undefined => {
  const parents = Map.groupBy(nestings, ({ childId }) => childId);
  let chains = [[innerId]];
  const seen = new Set([innerId]);
  while (chains.length > 0) {
    const found = chains.find(([outermost]) => outermost === outerId);
    if (found !== undefined) return found;
    chains = chains.flatMap((chain) =>
      (parents.get(chain[0] ?? '') ?? []).flatMap(({ parentId }) => {
        if (seen.has(parentId)) return [];
        seen.add(parentId);
        return [[parentId, ...chain]];
      }),
    );
  }
  return undefined;
};
