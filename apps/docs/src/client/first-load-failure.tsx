import ExecutionEnvironment from '@docusaurus/ExecutionEnvironment';
import Loading from '@theme/Loading';
import { createRoot } from 'react-dom/client';

import styles from './first-load-failure.module.css';

const isFileThatFailed = (reason: unknown): reason is Error =>
  reason instanceof Error &&
  (reason.name === 'ChunkLoadError' || ('code' in reason && reason.code === 'CSS_CHUNK_LOAD_FAILED'));

/**
 * Docusaurus starts only when the files of the first route are there, and says nothing when one of them fails: the page stands as the
 * server sent it, and nothing on it works. It stays readable above the box that says so, which stays in
 * the window: a browser that loads a page again goes to where its reader was.
 */
if (ExecutionEnvironment.canUseDOM) {
  globalThis.addEventListener('unhandledrejection', ({ reason }) => {
    if (window.docusaurusRoot !== undefined || !isFileThatFailed(reason)) {
      return;
    }
    const place = document.createElement('div');
    place.className = styles.place ?? '';
    document.body.prepend(place);
    createRoot(place).render(
      <Loading
        error={reason}
        isLoading={false}
        pastDelay={false}
        timedOut={false}
        retry={() => globalThis.location.reload()}
      />,
    );
  });
}
