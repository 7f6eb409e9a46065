import type { Piece } from './search-service.ts';
import { synonymsOf, termsOf, wordsAndParts, wordsOfQuery } from './words.ts';

const excerptLength = 160;

const within = (one: string, other: string): boolean => one.length > 2 && other.startsWith(one);

/** Whether a word of a text matches a word of the query, also as another form or as its beginning. */
const matcher = (query: string): ((word: string) => boolean) => {
  const words = wordsOfQuery(query);
  const wanted = [...words, ...words.flatMap((word) => synonymsOf(word).flat())].flatMap(termsOf);
  return (word) =>
    wordsAndParts(word).some((part) =>
      termsOf(part).some((term) => wanted.some((term2) => term === term2 || within(term2, term))),
    );
};

/** Splits a text into pieces. Those that match the query are marked. */
export const highlight = (text: string, query: string): Piece[] => {
  const matches = matcher(query);
  const pieces: Piece[] = [];
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    if (part === '') continue;
    const marked = /^[\p{L}\p{N}]/u.test(part) && matches(part);
    const last = pieces.at(-1);
    if (last?.marked === marked) pieces[pieces.length - 1] = { text: last.text + part, marked };
    else pieces.push({ text: part, marked });
  }
  return pieces;
};

/** The part of a text around the first match. */
export const excerptOf = (text: string, query: string): Piece[] => {
  const matches = matcher(query);
  const first = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu)).find(([word]) => matches(word))?.index ?? 0;
  const from = first < 60 ? 0 : text.indexOf(' ', first - 60) + 1;
  const cut = text.slice(from, from + excerptLength);
  const ends = from + excerptLength >= text.length;
  const shown = ends ? cut : cut.slice(0, Math.max(cut.lastIndexOf(' '), excerptLength / 2));
  return highlight(`${from > 0 ? '… ' : ''}${shown}${ends ? '' : ' …'}`, query);
};
