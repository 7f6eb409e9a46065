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

// A page that the browser keeps for its Back button is neither shown to the next person, nor with old records.
addEventListener('pagehide', (event) => {
  if (event.persisted) root.hidden = true;
});
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
