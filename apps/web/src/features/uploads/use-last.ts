import { useState } from 'react';

/**
 * The latest value that was not undefined, as long as the key stays the same.
 * @param key what the value belongs to, such as a file
 */
export const useLast = <Value>(value: Value | undefined, key: unknown): Value | undefined => {
  const [last, setLast] = useState({ key, value });
  if (last.key !== key || (value !== undefined && value !== last.value)) setLast({ key, value });
  return value ?? (last.key === key ? last.value : undefined);
};
