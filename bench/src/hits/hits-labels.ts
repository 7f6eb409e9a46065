/** The share of hits that a reader sees: all, one in ten, or one in ten thousand. */
export const shares = ['all', 'tenth', 'trace'] as const;
export type VisibleShare = (typeof shares)[number];

export const shareNames: Readonly<Record<VisibleShare, string>> = {
  all: '100 %',
  tenth: '10 %',
  trace: '0.01 %',
};

/** Labels in three tiers. A reader who sees a tier also sees the rarer ones. */
export interface HitsLabels {
  readonly count: number;
  /** All attributes in the labels. */
  readonly attributes: readonly string[];
  /** The attributes of the reader of each share. */
  readonly held: Readonly<Record<VisibleShare, readonly string[]>>;
  /** The labels of each tier. Each record of the tier has one of them. */
  readonly tiers: Readonly<Record<VisibleShare, readonly string[]>>;
}

const tierAttributes: Readonly<Record<VisibleShare, string>> = {
  all: 'WIDE',
  tenth: 'TENTH',
  trace: 'TRACE',
};

/** The tier of the record with this index (from 0): one in ten thousand, one in ten, or the rest. */
export const tierOf = (index: number): VisibleShare =>
  index % 10_000 === 0 ? 'trace' : index % 10 === 0 ? 'tenth' : 'all';

/** The tiers that the reader of a share sees. */
export const visibleTiers = (share: VisibleShare): readonly VisibleShare[] =>
  shares.slice(shares.indexOf(share));

/**
 * Generates distinct labels such as `TIER&(T100|T101|T102)`: the attribute of a tier, and one of three attributes that
 * all readers hold. Labels are distributed over the tiers like the records, with at least one for each tier.
 */
export function hitsLabelsOf(count: number): HitsLabels {
  let size = 3;
  while ((size * (size - 1) * (size - 2)) / 6 < count) size++;
  const common = Array.from({ length: size }, (_, index) => `T${String(100 + index)}`);
  const trace = Math.max(1, Math.round(count / 10_000));
  const tenth = Math.max(1, Math.round(count / 10) - trace);
  const tiers: Record<VisibleShare, string[]> = { all: [], tenth: [], trace: [] };
  let made = 0;
  for (const [first, one] of common.entries())
    for (const [second, two] of common.slice(first + 1).entries())
      for (const three of common.slice(first + second + 2)) {
        if (made === count) break;
        const tier: VisibleShare = made < trace ? 'trace' : made < trace + tenth ? 'tenth' : 'all';
        tiers[tier].push(`${tierAttributes[tier]}&(${one}|${two}|${three})`);
        made++;
      }
  const heldBy = (share: VisibleShare): string[] => [
    ...common,
    ...visibleTiers(share).map((tier) => tierAttributes[tier]),
  ];
  return {
    count,
    attributes: heldBy('all'),
    held: { all: heldBy('all'), tenth: heldBy('tenth'), trace: heldBy('trace') },
    tiers,
  };
}
