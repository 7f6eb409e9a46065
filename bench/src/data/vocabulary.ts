const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';
const syllables = Array.from(consonants).flatMap((consonant) =>
  Array.from(vowels).map((vowel) => consonant + vowel),
);
const shortWords = syllables.length ** 2;

/** The word of a rank: frequent words have two syllables, others three. Different ranks have different words. */
function wordOfRank(rank: number): string {
  let rest = rank < shortWords ? rank : rank - shortWords;
  let word = '';
  for (let count = rank < shortWords ? 2 : 3; count > 0; count--) {
    word = (syllables[rest % syllables.length] ?? '') + word;
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

/** Words by rank. Drawing gives the word of rank r with a probability proportional to 1/r, as in natural text. */
export interface Vocabulary {
  readonly words: readonly string[];
  /** Draws the rank of a word, from 0. */
  draw(random: () => number): number;
}

export function createVocabulary(size: number): Vocabulary {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return {
    words: Array.from({ length: size }, (_, rank) => wordOfRank(rank)),
    draw(random) {
      const point = random() * sum;
      let low = 0;
      let high = size - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sums[middle] ?? sum) < point) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
