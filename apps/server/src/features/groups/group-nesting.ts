/** That `childId` is directly in `parentId`. */
export interface GroupEdge {
  childId: string;
  parentId: string;
}

/**
 * A shortest chain of groups by which `innerId` is in `outerId`, the outer first; undefined where it is not.
 * A group counts as in itself.
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
