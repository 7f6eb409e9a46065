import ExecutionEnvironment from '@docusaurus/ExecutionEnvironment';
import siteConfig from '@generated/docusaurus.config';
import { mayLoadChat } from '../chat/may-load-chat.ts';
import type { ChatSettings } from '../../site-services.ts';

const load = async ({ key, src }: ChatSettings): Promise<void> => {
  if (!(await mayLoadChat(siteConfig.url))) return;
  const script = document.createElement('script');
  script.id = 'support-chat';
  script.async = true;
  script.src = src;
  script.dataset['key'] = key;
  script.referrerPolicy = 'strict-origin';
  document.head.append(script);
};

/** Runs it when the browser is idle, so that the chat does not slow the page. */
const whenIdle = (run: () => void): void => {
  // Safari does not support `requestIdleCallback` yet.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 5000 });
  else setTimeout(run, 2000);
};

const chat = siteConfig.customFields?.['chat'] as ChatSettings | undefined;

if (ExecutionEnvironment.canUseDOM && chat !== undefined) {
  const start = (): void => whenIdle(() => void load(chat));
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
}
