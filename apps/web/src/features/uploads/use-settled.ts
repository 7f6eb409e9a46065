import { useEffect, useState } from 'react';

/** The value once it has not changed for a while, so that typing sends few requests. */
export const useSettled = <Value>(value: Value, pauseMilliseconds: number): Value => {
  const [settled, setSettled] = useState(value);
  // The clock of the browser is outside of React.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [value, pauseMilliseconds]);
  return settled;
};
