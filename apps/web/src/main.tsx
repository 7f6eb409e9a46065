import '@fontsource/roboto/latin-400.css';
import '@fontsource/roboto/latin-500.css';
import '@fontsource/roboto-mono/latin-400.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onPageEnd } from './api/page-session.ts';
import { App } from './app/App.tsx';

const root = document.querySelector<HTMLElement>('#root');
if (root === null) throw new Error('index.html has no element with the id "root"');
const app = createRoot(root);
onPageEnd(() => app.unmount());
app.render(
  <StrictMode>
    <App />
  </StrictMode>,
);

// A browser may keep the whole page for its Back button. The kept page is hidden and reloaded, so that it shows neither
// the data of the previous person nor old records.
addEventListener('pagehide', (event) => {
  if (event.persisted) root.hidden = true;
});
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
