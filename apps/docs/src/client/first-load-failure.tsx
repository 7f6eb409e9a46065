import ExecutionEnvironment from '@docusaurus/ExecutionEnvironment';
import Loading from '@theme/Loading';
import { createRoot } from 'react-dom/client';

import styles from './first-load-failure.module.css';

const isFileThatFailed = (reason: unknown): reason is Error =>
  reason instanceof Error &&
  (reason.name === 'ChunkLoadError' || ('code' in reason && reason.code === 'CSS_CHUNK_LOAD_FAILED'));

/**
 * Docusaurus starts only when the files of the first route are loaded. If one of them fails, it shows nothing: the page
 * stays as the server sent it, without working scripts. This module then shows an error box below the readable page,
 * and scrolls it into view, since browsers restore the scroll position on a reload.
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
