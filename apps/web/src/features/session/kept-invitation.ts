const storageKey = 'redoubt-invitation';
/** How long a sign-in at an identity provider may take. */
const maxMilliseconds = 600_000;

/** Keeps the token of an invitation in this tab while the person signs in at an identity provider. */
export const keepInvitation = (token: string): void =>
  sessionStorage.setItem(storageKey, JSON.stringify({ token, until: Date.now() + maxMilliseconds }));

/** Returns the kept token and removes it. Undefined if there is none, or the sign-in took too long. */
export const takeInvitation = (): string | undefined => {
  const stored = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  if (stored === null) return undefined;
  const { token, until } = JSON.parse(stored) as { token: string; until: number };
  return Date.now() < until ? token : undefined;
};

/** Removes the kept token: the person does something else than sign in for the invitation. */
export const forgetInvitation = (): void => sessionStorage.removeItem(storageKey);
