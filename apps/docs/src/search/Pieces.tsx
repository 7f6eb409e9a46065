import type { ReactNode } from 'react';
import type { Piece } from './search-service.ts';

/** A text with the found words highlighted. */
export const Pieces = ({ of }: { readonly of: readonly Piece[] }): ReactNode =>
  of.map(({ text, marked }, place) => (marked ? <mark key={place}>{text}</mark> : text));
