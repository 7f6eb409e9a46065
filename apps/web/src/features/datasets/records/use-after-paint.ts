import { useEffect, useState } from 'react';

/**
 * Whether the rows of this query have been painted. Charts and frequent values are requested after that, so that the server
 * and the page do nothing else until people see rows.
 * @param query changes with each query
 * @param hasRows whether the first rows, or an error, have arrived
 */
export const useAfterPaint = (query: object, hasRows: boolean): boolean => {
  const [painted, setPainted] = useState<object>();
  const isPainted = painted === query;
  useEffect(() => {
    if (!hasRows || isPainted) return undefined;
    // The first callback runs before the frame with the rows is painted, the second after it.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted(query));
    });
    return () => cancelAnimationFrame(frame);
  }, [query, hasRows, isPainted]);
  return isPainted;
};
