import { strictObject } from '@redoubt/contract';
import { Type, type Static } from 'typebox';
import { PageWords } from './draw-page.ts';

/** The words of a page as they are stored: with the size of the image that their boxes are for. */
export const StoredWords = strictObject({
  turn: Type.Union([Type.Literal(0), Type.Literal(90), Type.Literal(180), Type.Literal(270)]),
  width: Type.Integer(),
  height: Type.Integer(),
  words: PageWords,
});
export type StoredWords = Static<typeof StoredWords>;
