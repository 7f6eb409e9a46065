import type { Random } from '@redoubt/testkit';

/** Attributes that labels name. */
const attributes = ['RED', 'GREEN', 'BLUE', 'GREY'] as const;

/** The attributes of a person. */
export type Held = readonly string[];

/** Attributes that satisfy every label. */
export const everything: Held = [...attributes, 'NOBODY'];

/** The text of a label, and who satisfies it. Does not use the product's own evaluation. */
export interface RandomLabel {
  readonly text: string;
  readonly isSatisfiedBy: (held: Held) => boolean;
}

const one = (token: string): RandomLabel => ({ text: token, isSatisfiedBy: (held) => held.includes(token) });

const joined = (operator: '&' | '|', a: RandomLabel, b: RandomLabel): RandomLabel => ({
  text: `(${a.text})${operator}(${b.text})`,
  isSatisfiedBy: (held) =>
    operator === '&'
      ? a.isSatisfiedBy(held) && b.isSatisfiedBy(held)
      : a.isSatisfiedBy(held) || b.isSatisfiedBy(held),
});

const everyone: RandomLabel = { text: '', isSatisfiedBy: () => true };
/** A label with an attribute that nobody holds. */
const nobody = one('NOBODY');

const anyLabel = (random: Random, depth: number): RandomLabel =>
  depth === 0 || random.chance(0.4)
    ? one(random.pick(attributes))
    : joined(random.pick(['&', '|'] as const), anyLabel(random, depth - 1), anyLabel(random, depth - 1));

/** A label that these attributes satisfy. */
export const visibleLabel = (random: Random, held: Held): RandomLabel => {
  const label = anyLabel(random, 2);
  return random.chance(0.6) && label.isSatisfiedBy(held) ? label : everyone;
};

/** A label that these attributes do not satisfy. */
export const hiddenLabel = (random: Random, held: Held): RandomLabel => {
  const label = anyLabel(random, 2);
  return label.isSatisfiedBy(held) ? joined('&', label, nobody) : label;
};

/** Generates the attributes of a reader, rarely all of them. */
export const randomReader = (random: Random): Held => attributes.filter(() => random.chance(0.45));
