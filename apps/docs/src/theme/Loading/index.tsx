import type { ReactNode } from 'react';

import { LoadingAnimation } from '../../components/loading-animation/loading-animation.tsx';
import styles from './styles.module.css';

interface Props {
  readonly error: Error | null;
  readonly pastDelay: boolean;
  retry(): void;
}

/** The placeholder of a route while its files load (after the delay of the loader, 200 ms), and when loading fails. */
export default function Loading({ error, pastDelay, retry }: Props): ReactNode {
  if (error) {
    return (
      <div className={styles.failure} role="alert">
        <p>{String(error)}</p>
        <button type="button" onClick={retry}>
          Retry
        </button>
      </div>
    );
  }
  if (!pastDelay) {
    return null;
  }
  return (
    <div className={styles.waiting}>
      <LoadingAnimation />
    </div>
  );
}
