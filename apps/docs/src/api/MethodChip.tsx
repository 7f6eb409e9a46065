import type { ReactNode } from 'react';
import styles from './api.module.css';
import type { Method } from './types.ts';

const classes: Record<Method, string | undefined> = {
  GET: undefined,
  POST: styles.methodChanges,
  PATCH: styles.methodChanges,
  DELETE: styles.methodRemoves,
};

export function MethodChip({ method }: { method: Method }): ReactNode {
  return <span className={[styles.method, classes[method]].filter(Boolean).join(' ')}>{method}</span>;
}
