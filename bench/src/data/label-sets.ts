/** The labels of a dataset, and the attributes of a reader who satisfies about half of them. */
export interface LabelSet {
  readonly name: string;
  readonly labels: readonly LabelOfSet[];
  /** All attributes in the labels. */
  readonly attributes: readonly string[];
  /** The attributes of the reader of half the labels. */
  readonly held: readonly string[];
}

interface LabelOfSet {
  readonly text: string;
  /** Whether the reader of half the labels satisfies it. */
  readonly visible: boolean;
}

const few: LabelSet = {
  name: '6',
  labels: [
    { text: 'NORTH', visible: true },
    { text: 'EAST', visible: true },
    { text: 'SOUTH', visible: false },
    { text: 'WEST', visible: false },
    { text: 'NORTH&EAST', visible: true },
    { text: 'SOUTH|WEST', visible: false },
  ],
  attributes: ['NORTH', 'EAST', 'SOUTH', 'WEST'],
  held: ['NORTH', 'EAST'],
};

/**
 * Pairs of attributes, alternately joined by & and |: a reader with half the attributes satisfies half of the labels.
 */
function manyLabels(count: number): LabelSet {
  const attributeCount = Math.ceil((1 + Math.sqrt(1 + 8 * count)) / 2);
  const attributes = Array.from({ length: attributeCount }, (_, index) => `T${String(100 + index)}`);
  const held = new Set(attributes.filter((_, index) => index % 2 === 0));
  const labels: LabelOfSet[] = [];
  for (const [first, one] of attributes.entries()) {
    for (const other of attributes.slice(first + 1)) {
      if (labels.length === count) break;
      const both = labels.length % 2 === 0;
      const visible = both ? held.has(one) && held.has(other) : held.has(one) || held.has(other);
      labels.push({ text: `${one}${both ? '&' : '|'}${other}`, visible });
    }
  }
  return { name: String(count), labels, attributes, held: [...held] };
}

/** Returns a label set: six fixed labels, as in an office, or any number of generated ones. */
export const labelSetOf = (count: number): LabelSet =>
  count === few.labels.length ? few : manyLabels(count);
