import { hiddenFields, html, pageOf, type Page } from './page.ts';

/** The host of the application, for people to check. */
export const hostOf = (url: string): string => new URL(url).host;

/** @param notice the error of the last attempt */
export const signInPage = ({
  name,
  redirectUrl,
  fields,
  email,
  notice,
}: {
  name: string;
  redirectUrl: string;
  fields: Readonly<Record<string, string>>;
  email: string | undefined;
  notice: string | undefined;
}): Page => {
  const isWrong = notice === undefined ? 'false' : 'true';
  const described = notice === undefined ? html`` : html` aria-describedby="notice"`;
  return pageOf(
    `Sign in to go on to ${name}`,
    html`<h1>Sign in to go on to ${name}</h1>
      <p class="soft">
        ${name} at <strong>${hostOf(redirectUrl)}</strong> asks to act for you. Before it may, you will see
        what it asks for. It does not get your password.
      </p>
      ${notice === undefined ? undefined : html`<p class="notice" id="notice" role="alert">${notice}</p>`}
      <form method="post" action="/oauth2/auth">
        ${hiddenFields({ ...fields, step: 'sign-in' })}
        <label for="email">Email address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          maxlength="254"
          value="${email ?? ''}"
          aria-invalid="${isWrong}"
          ${described}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxlength="200"
          aria-invalid="${isWrong}"
          ${described}
        />
        <button>Sign in</button>
      </form>
      <form method="post" action="/oauth2/auth">
        ${hiddenFields({ ...fields, step: 'decide', decision: 'deny' })}
        <button class="link">Cancel and go back to ${name}</button>
      </form>`,
    redirectUrl,
  );
};
