import type { ReactNode } from 'react';

import styles from './loading-animation.module.css';

/** A turning ring, for all who wait for a page; screen readers are told in words. */
export function LoadingAnimation(): ReactNode {
  return <div className={styles.animation} role="status" aria-label="Loading the page" />;
}
