import ExecutionEnvironment from '@docusaurus/ExecutionEnvironment';
import Loading from '@theme/Loading';
import { createRoot } from 'react-dom/client';

const isFileThatFailed = (reason: unknown): reason is Error =>
  reason instanceof Error &&
  (reason.name === 'ChunkLoadError' || ('code' in reason && reason.code === 'CSS_CHUNK_LOAD_FAILED'));

/**
 * Docusaurus starts only when the files of the first route are there, and says nothing when one of them fails: the page stands as the
 * server sent it, and nothing on it works. It stays readable below the box that says so.
 */
if (ExecutionEnvironment.canUseDOM) {
  globalThis.addEventListener('unhandledrejection', ({ reason }) => {
    if (window.docusaurusRoot !== undefined || !isFileThatFailed(reason)) {
      return;
    }
    const place = document.createElement('div');
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
