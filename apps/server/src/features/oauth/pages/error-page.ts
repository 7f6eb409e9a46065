import { html, pageOf, type Page } from './page.ts';

/** The page for an invalid request of an application. */
export const errorPage = (message: string): Page =>
  pageOf(
    'This does not work',
    html`<h1>This does not work</h1>
      <p>${message}</p>
      <p class="soft">
        Go back to the application and start again. If that does not help, tell its makers the message above.
      </p>`,
  );
