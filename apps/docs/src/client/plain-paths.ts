import ExecutionEnvironment from '@docusaurus/ExecutionEnvironment';
import { plainPath } from '../plain-path.ts';

// Redirects in the browser, before the page is drawn, on hosts that do not redirect themselves.
if (ExecutionEnvironment.canUseDOM) {
  const { pathname, search, hash } = window.location;
  const plain = plainPath(pathname);
  if (plain !== pathname) window.location.replace(plain + search + hash);
}
