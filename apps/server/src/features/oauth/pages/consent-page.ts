import type { OAuthClient, RequiredDataset } from '../oauth.repository.ts';
import { hiddenFields, html, pageOf, type Html, type Page } from './page.ts';
import { hostOf } from './sign-in-page.ts';

const actionTexts = { read: 'read', write: 'write', manage: 'manage, read and write' } as const;

/** Lists what the application may do with each dataset, one line per dataset. */
const datasetLines = (datasets: readonly RequiredDataset[]): Html[] =>
  [...Map.groupBy(datasets, ({ id }) => id).values()].map((rights) => {
    const manages = rights.find(({ action }) => action === 'manage');
    const actions = manages === undefined ? rights : [manages];
    return html`<li class="rights">
      <span>${rights[0]?.name ?? ''}</span
      ><span>${actions.map(({ action }) => actionTexts[action]).join(' and ')}</span>
    </li> `;
  });

const datasetSection = (datasets: readonly RequiredDataset[], isBound: boolean): Html =>
  isBound
    ? html`<h2>In these datasets</h2>
        <ul>
          ${datasetLines(datasets)}
        </ul>`
    : html`<h2>In which datasets</h2>
        <ul>
          <li>
            <strong>All</strong> that you can reach in this workspace, with all your permissions there: read,
            write and manage
          </li>
        </ul>`;

const records = {
  mls: 'See the records that you can see, with all your attributes',
  sls: 'See records without a security label only, whatever your attributes',
} as const;

/** The page on which a signed-in person allows or denies the requested access. */
export const consentPage = ({
  client,
  email,
  datasets,
  isBound,
  fields,
}: {
  client: OAuthClient;
  email: string;
  datasets: readonly RequiredDataset[];
  /** Whether the application is limited to `datasets`. */
  isBound: boolean;
  fields: Readonly<Record<string, string>>;
}): Page =>
  pageOf(
    `Let ${client.name} act for you?`,
    html`<h1>Let ${client.name} act for you?</h1>
      <p class="soft">
        You are signed in as <strong>${email}</strong>, in the workspace
        <strong>${client.workspaceName}</strong>.
      </p>
      <h2>${client.name} will</h2>
      <ul>
        <li>${records[client.type]}</li>
        <li>Learn your name and your email address</li>
      </ul>
      ${datasetSection(datasets, isBound)}
      <p class="meta">
        It never gets more access than you have yourself. It can create datasets and groups in your name, and
        cannot change existing people, attributes, keys or groups. Its access ends when it is not used for 30
        days, when you change your password, or when you or an admin revoke it.
      </p>
      <form method="post" action="/oauth2/auth">
        ${hiddenFields({ ...fields, step: 'decide' })}
        <div class="actions">
          <button name="decision" value="deny" class="plain">Deny</button>
          <button name="decision" value="allow">Allow</button>
        </div>
      </form>
      <p class="meta">Either way you go back to ${hostOf(client.redirectUrl)}.</p>`,
    client.redirectUrl,
  );

/** The page for a signed-in person who may not use the application, or lacks access to a dataset that it requires. */
export const accessDeniedPage = ({
  client,
  email,
  fields,
}: {
  client: OAuthClient;
  email: string;
  fields: Readonly<Record<string, string>>;
}): Page =>
  pageOf(
    `You cannot use ${client.name}`,
    html`<h1>You cannot use ${client.name}</h1>
      <p>
        You are signed in as <strong>${email}</strong>. The application does not allow you, or it needs
        datasets that you cannot reach. Ask an admin of the workspace
        <strong>${client.workspaceName}</strong>.
      </p>
      <form method="post" action="/oauth2/auth">
        ${hiddenFields({ ...fields, step: 'decide', decision: 'deny' })}
        <button class="plain">Go back to ${client.name}</button>
      </form>`,
    client.redirectUrl,
  );
