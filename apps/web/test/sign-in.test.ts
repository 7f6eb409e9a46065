/* Shows: A-sso-console, A-mail-pages */
import { addMember, createWorkspace, sendRequest } from '@redoubt/testkit';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, signIn } from './console-fixture.ts';
import { openSignInFixture, type SignInFixture } from './sign-in-fixture.ts';

let fixture: SignInFixture;
let house: SignInFixture['house'];
let oidc: SignInFixture['oidc'];
let workspace: SignInFixture['workspace'];
let ada: SignInFixture['ada'];
let linkIn: SignInFixture['linkIn'];
before(async () => {
  fixture = await openSignInFixture();
  ({ house, oidc, workspace, ada, linkIn } = fixture);
});
after(() => fixture.close());

const at = (page: Page): string => page.url().slice(house.server.url.length);
const inShell = (page: Page): Promise<void> => page.locator('header button[aria-haspopup="menu"]').waitFor();

/** Everything that scripts could keep of a page, and its address. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(() =>
    JSON.stringify([location.href, localStorage, sessionStorage, document.cookie, history.state]),
  );

describe('signing in to the console', () => {
  test('a person signs in by keyboard through an identity provider, and no code or token stays with the page', async () => {
    const context = await house.openContext();
    const page = await house.openPage(context, '/app/search?q=wind#top');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
    const button = page.getByRole('link', { name: 'Continue with Keycloak' });
    await button.waitFor();
    for (let presses = 0; presses < 10; presses += 1) {
      if (await button.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await inShell(page);
    equal(at(page), '/app/search?q=wind#top');
    ok(!/code|token|eyJ/i.test(await kept(page)), await kept(page));
    ok(!requests.some((request) => request.includes('strategy=keycloak')), 'no request has the code');
    const cookies = await context.cookies(house.server.url);
    const session = cookies.find(({ name }) => name.startsWith('redoubt-session-'));
    deepEqual([session?.httpOnly, session?.sameSite], [true, 'Strict']);
    const me = await page.evaluate(
      async () => (await fetch('/me')).json() as Promise<{ accessToken: string }>,
    );
    equal(me.accessToken, '');
    await context.close();
  });

  test('a link to a page keeps its query string and fragment while a person signs in by a password', async () => {
    const context = await house.openContext();
    const page = await house.openPage(context, '/app/search?q=wind#top');
    await signIn(page, ada);
    equal(at(page), '/app/search?q=wind#top');
    equal(await page.getByLabel('Search in Lucene').innerText(), 'wind');
    await context.close();
  });

  test('the provider of a workspace is offered to those who name the workspace', async () => {
    const config = {
      key: oidc.client.id,
      secret: oidc.client.secret,
      authorizeUrl: `${oidc.issuer}/auth`,
      accessUrl: `${oidc.issuer}/token`,
      profileUrl: `${oidc.issuer}/me`,
    };
    const body = { config, providerType: 'custom' };
    const { status } = await sendRequest(house.server, 'POST', '/custom-identity-providers', {
      token: workspace.admin.token,
      body,
    });
    equal(status, 201);
    const context = await house.openContext();
    const page = await house.openPage(context, '/login');
    await page.getByRole('button', { name: 'Enter its id' }).click();
    await page.getByLabel('Id of the workspace').fill(workspace.id);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await inShell(page);
    equal(at(page), '/app/datasets');
    await context.close();
  });

  test('a person who signs in by a provider alone accepts an invitation, and no token stays with the page', async () => {
    const other = await createWorkspace(house.server);
    const email = 'eva@example.org';
    const { status } = await sendRequest(house.server, 'POST', '/invitations', {
      token: other.admin.token,
      body: { email },
    });
    equal(status, 201);
    const link = await linkIn(email, '/app/invite');
    oidc.know({ sub: 'eva', email, email_verified: true });
    oidc.signsIn('eva');
    const context = await house.openContext();
    const page = await house.openPage(context, link);
    const provider = page.getByRole('link', { name: 'Continue with Keycloak' });
    const token = link.split('#')[1] ?? '-';
    const isKept = async (): Promise<boolean> =>
      (await page.evaluate(() => JSON.stringify(sessionStorage))).includes(token);
    const failAtProvider = async (): Promise<void> => {
      oidc.tamper((claims) => ({ ...claims, nonce: 'of another sign-in' }));
      try {
        await provider.click();
        await page.getByRole('alert').waitFor();
      } finally {
        oidc.tamper(undefined);
      }
      await context.clearCookies({ domain: '127.0.0.1', name: /^_/ });
    };
    // A person who does something else after a failed attempt gets nothing of the invitation.
    await failAtProvider();
    ok(await isKept());
    await page.goto(`${house.server.url}/login`);
    await page.getByLabel('Email').waitFor();
    ok(!(await isKept()));
    await page.goto(`${house.server.url}${link}`);
    await failAtProvider();
    // The attempt failed; the next one still leads to the invitation.
    await provider.click();
    const join = page.getByRole('button', { name: /^Join/ });
    await join.waitFor();
    ok(!(await isKept()));
    equal(await page.getByLabel(/^Password/).count(), 0);
    await join.click();
    await inShell(page);
    ok(!(await kept(page)).includes(token), await kept(page));
    oidc.signsIn('ada');
    await context.close();
  });

  test('a sign-in that fails returns to the page and says why, and only in words of the page', async () => {
    const context = await house.openContext();
    const page = await house.openPage(context, '/login?next=%2Fapp%2Fjobs');
    oidc.tamper((claims) => ({ ...claims, nonce: 'of another sign-in' }));
    try {
      await page.getByRole('link', { name: 'Continue with Keycloak' }).click();
      await page.getByRole('alert').waitFor();
    } finally {
      oidc.tamper(undefined);
    }
    match(await page.getByRole('alert').innerText(), /did not confirm who you are/);
    equal(at(page), '/login?next=%2Fapp%2Fjobs&error=refused');
    // An account that the server rejects is its own message.
    oidc.know({ sub: 'nobody', email: 'nobody@example.org', email_verified: false });
    oidc.signsIn('nobody');
    await context.clearCookies({ domain: '127.0.0.1', name: /^_/ });
    await page.getByRole('link', { name: 'Continue with Keycloak' }).click();
    await page.getByText(/verified/).waitFor();
    oidc.signsIn('ada');
    await page.goto(`${house.server.url}/login?error=Call%20this%20number`);
    await page.getByLabel('Email').waitFor();
    equal(await page.getByRole('alert').count(), 0);
    await context.close();
  });

  test('a sign-in goes on to pages of the console alone, rebuilt from their checked parameters', async () => {
    const context = await house.openContext();
    const page = await house.openPage(context, '/login?next=%2Fapp%2Fsearch%3Fq%3Dwind%26other%3D1');
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.keyboard.press('Enter');
    await inShell(page);
    equal(at(page), '/app/search?q=wind');
    for (const next of [
      '//evil.example',
      'https://evil.example/app/jobs',
      'javascript:alert(1)',
      '/app/../login',
      '/app/..//evil.example',
      '/app/%2e%2e/docs/',
      '/app/%2e%2e%2f%2fevil.example',
      '/app//evil.example',
      '/app/\\evil.example',
      '/\\evil.example',
      '/app/jobs/1/more',
      '/reset-password',
      '%2fapp%2fjobs',
      '/app/jobs\n',
    ]) {
      await page.goto(`${house.server.url}/login?next=${encodeURIComponent(next)}`);
      await page.waitForURL(`${house.server.url}/app/datasets`);
    }
    await page.goto(`${house.server.url}/login?next=${encodeURIComponent('/app/datasets/a%2Fb?tab=nope')}`);
    await page.waitForURL(`${house.server.url}/app/datasets/a%2Fb`);
    await context.close();
  });

  test('a code of another browser opens no session, and none replaces the session of somebody who is here', async () => {
    const [one, two] = [await house.openContext(), await house.openContext()];
    const theirs = await house.openPage(one, '/login');
    let stolen = '';
    // Stops the attacker's own sign-in before the page uses the code.
    await theirs.route('**/authentication', (route) => route.abort());
    theirs.on('framenavigated', () => (stolen = theirs.url().includes('#') ? theirs.url() : stolen));
    await theirs.getByRole('link', { name: 'Continue with Keycloak' }).click();
    await theirs.getByRole('alert').waitFor();
    const code = stolen.split('#')[1] ?? '';
    match(code, /code=/);
    const page = await house.openPage(two, `/login#${code}`);
    match(await page.getByRole('alert').innerText(), /belongs to another browser/);
    equal(at(page), '/login');
    equal((await two.cookies(house.server.url)).length, 0);
    await page.goto(`${house.server.url}/app/`);
    await signIn(page, workspace.admin);
    const before = await two.cookies(house.server.url);
    await page.goto(`${house.server.url}/login#${code}`);
    await page.waitForURL(`${house.server.url}/app/datasets`);
    deepEqual(await two.cookies(house.server.url), before);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('links in mails', () => {
  test('a person who forgot the password gets a link, sets a new one, and the link works once', async () => {
    const ben = await addMember(house.server, workspace, 'member', 'ben');
    const context = await house.openContext();
    const page = await house.openPage(context, '/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    const request = async (email: string): Promise<string> => {
      await page.getByLabel('Email').fill(email);
      await page.keyboard.press('Enter');
      return (await page.getByText('a mail with a link is on its way').innerText()).replace(email, '…');
    };
    const forKnown = await request(ben.email);
    await page.reload();
    equal(await request('nobody-at-all@example.org'), forKnown);
    const link = await linkIn(ben.email, '/reset-password');
    await page.goto(`${house.server.url}${link}`);
    await page.getByLabel('New password', { exact: true }).fill('a new password');
    equal(at(page), '/reset-password');
    ok(!(await kept(page)).includes(link.split('#')[1] ?? '-'));
    await page.getByLabel('New password again').fill('another password');
    await page.keyboard.press('Enter');
    await page.getByText('This is another password').waitFor();
    await page.getByLabel('New password again').fill('a new password');
    await page.keyboard.press('Enter');
    await page.getByText(`The new password of ${ben.email} is set`).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { email: ben.email, password: 'a new password' });
    for (const token of [link.split('#')[1] ?? '', 'wrong']) {
      await page.goto(`${house.server.url}/reset-password#${token}`);
      await page.getByLabel('New password', { exact: true }).fill('a new password');
      await page.getByLabel('New password again').fill('a new password');
      await page.keyboard.press('Enter');
      match(await page.getByRole('alert').innerText(), /already used, has expired, or was replaced/);
    }
    await page.getByRole('button', { name: 'Ask for a new link' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await context.close();
  });

  test('an address is confirmed with a press of a button, and a person who is signed in gets another link', async () => {
    const cleo = await addMember(house.server, workspace, 'member', 'cleo');
    const context = await house.openContext();
    const page = await house.openPage(context, '/verify-email#wrong');
    await page.getByRole('button', { name: 'Confirm address' }).press('Enter');
    await page.getByText('already used, has expired').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, cleo);
    await page.goto(`${house.server.url}/verify-email`);
    await page.getByText('This link is incomplete').waitFor();
    await page.getByRole('button', { name: `Send a new link to ${cleo.email}` }).click();
    await page.getByText('A mail with a new link is on its way').waitFor();
    await page.goto(`${house.server.url}${await linkIn(cleo.email, '/verify-email')}`);
    await page.getByRole('button', { name: 'Confirm address' }).press('Enter');
    await page.getByText(`The address ${cleo.email} is confirmed.`).waitFor();
    equal(at(page), '/verify-email');
    await context.close();
  });

  test('a change of address is confirmed at both addresses', async () => {
    const dora = await addMember(house.server, workspace, 'member', 'dora');
    const body = { email: 'dora@new.example' };
    const { token } = dora;
    equal((await sendRequest(house.server, 'PATCH', `/users/${dora.id}`, { token, body })).status, 200);
    const context = await house.openContext();
    const page = await house.openPage(context, await linkIn('dora@new.example', '/change-email'));
    await page.getByRole('button', { name: 'Confirm the change' }).press('Enter');
    await page.getByText('your present address is used as well').waitFor();
    // Another link to the page that is open only changes the fragment of its address.
    await page.goto(`${house.server.url}${await linkIn(dora.email, '/change-email')}`);
    await page.getByRole('button', { name: 'Confirm the change' }).press('Enter');
    await page.getByText('The address of your account is now dora@new.example.').waitFor();
    await context.close();
  });

  test('where no mail is sent, the page names the command of the operator', async () => {
    const context = await house.openContext();
    await context.route('**/sign-in-options', (route) =>
      route.fulfill({ json: { providers: [], signUp: 'open', sendsMail: false } }),
    );
    const page = await house.openPage(context, '/reset-password');
    await page.getByText('npm run redoubt -- accounts reset').waitFor();
    equal(await page.getByLabel('Email').count(), 0);
    await context.close();
  });
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds no accessibility problem on the pages before the console in the ${scheme} scheme`, async () => {
    const context = await house.openContext({ colorScheme: scheme, bypassCSP: true });
    const page = await house.openPage(context, '/login?error=refused');
    for (const [path, text] of [
      ['/login?error=refused', 'Continue with Keycloak'],
      ['/reset-password', 'Send me a link'],
      ['/reset-password#token', 'Set password'],
      ['/verify-email#token', 'Confirm address'],
      ['/change-email', 'This link is incomplete'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${house.server.url}${path}`);
      await page.getByText(text).first().waitFor();
      deepEqual(await accessibilityFaults(page), [], path);
    }
    await context.close();
  });
}

test('no page before the console breaks its policy, fails in a script or sends a request to another host', () => {
  deepEqual(house.complaints, []);
});
