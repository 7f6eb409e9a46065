import type { ReactNode } from 'react';

import styles from './loading-animation.module.css';

/** A spinner with a text alternative for screen readers. */
export function LoadingAnimation(): ReactNode {
  return <div className={styles.animation} role="status" aria-label="Loading the page" />;
}
