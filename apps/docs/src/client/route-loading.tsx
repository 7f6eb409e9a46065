import type { ClientModule } from '@docusaurus/types';
import { createRoot, type Root } from 'react-dom/client';

import { LoadingAnimation } from '../components/loading-animation/loading-animation.tsx';
import styles from './route-loading.module.css';

/** The delay before the loading message is shown, in milliseconds. */
const delay = 200;

let shown: { root: Root; element: HTMLElement } | undefined;

function show(): void {
  const element = document.createElement('div');
  element.className = styles.corner ?? '';
  document.body.append(element);
  const root = createRoot(element);
  root.render(<LoadingAnimation />);
  shown = { root, element };
}

function hide(): void {
  shown?.root.unmount();
  shown?.element.remove();
  shown = undefined;
}

/**
 * Shows that the next page is loading. The router keeps the previous page on the screen until the files of the next
 * page are loaded, and otherwise only the thin bar at the top would show progress.
 */
const routeLoading: ClientModule = {
  onRouteUpdate({ location, previousLocation }) {
    if (!previousLocation || location.pathname === previousLocation.pathname) {
      return undefined;
    }
    const waiting = setTimeout(show, delay);
    return () => clearTimeout(waiting);
  },
  onRouteDidUpdate: hide,
};

export default routeLoading;
