import { createContext } from 'react';

/** The height in pixels of the rows of each grid below that sets no `rowHeight`. */
export const RowHeight = createContext(36);
