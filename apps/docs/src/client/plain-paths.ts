import ExecutionEnvironment from '@docusaurus/ExecutionEnvironment';
import { plainPath } from '../plain-path.ts';

// Where the host does not send the reader on by itself, their browser does, before anything is drawn.
if (ExecutionEnvironment.canUseDOM) {
  const { pathname, search, hash } = window.location;
  const plain = plainPath(pathname);
  if (plain !== pathname) window.location.replace(plain + search + hash);
}
