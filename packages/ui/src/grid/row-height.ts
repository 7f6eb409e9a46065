import { createContext } from 'react';

/** The height of the rows of all grids, in pixels, that are given none of their own. */
export const RowHeight = createContext(36);
