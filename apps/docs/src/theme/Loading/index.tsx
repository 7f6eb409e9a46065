import type { ReactNode } from 'react';
import type { LoadingComponentProps } from 'react-loadable';

import { LoadingAnimation } from '../../components/loading-animation/loading-animation.tsx';
import styles from './styles.module.css';

/** What stands in the place of a route while its files are loaded (after the delay of the loader, 200 ms), and when they cannot be. */
export default function Loading({ error, pastDelay, retry }: LoadingComponentProps): ReactNode {
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
