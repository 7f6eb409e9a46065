/** A verified identity at a provider. */
export interface ProvenIdentity {
  issuer: string;
  /** The permanent id of the person at the issuer. */
  subject: string;
  /** In lower case; undefined unless the provider has verified it. */
  email: string | undefined;
  firstName: string;
  lastName: string;
}

export type Claims = Readonly<Record<string, unknown>>;

const nameLength = 200;
const emailForm = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, nameLength) : undefined;

const isTrue = (value: unknown): boolean =>
  value === true || value === 1 || value === 'true' || value === '1';

/** Returns the address if the provider has verified it. Microsoft reports that only in the claim `xms_edov`. */
export const verifiedEmail = (claims: Claims): string | undefined => {
  const email = textOf(claims['email'])?.toLowerCase();
  const isVerified = isTrue(claims['email_verified']) || isTrue(claims['xms_edov']);
  return isVerified && email !== undefined && emailForm.test(email) ? email : undefined;
};

/** Derives the names of a person. They are never empty, as for every other account. */
export const namesOf = (claims: Claims): { firstName: string; lastName: string } => {
  const [first, ...rest] = textOf(claims['name'])?.split(/\s+/) ?? [];
  const local = textOf(claims['email'])?.split('@')[0];
  return {
    firstName: textOf(claims['given_name']) ?? first ?? textOf(local) ?? '-',
    lastName: textOf(claims['family_name']) ?? textOf(rest.join(' ')) ?? '-',
  };
};

/** Returns the permanent id of the person. Microsoft and Okta have their own claims for it. */
export const providerSubjectOf = (strategy: string, claims: Claims): string | undefined => {
  const special = strategy === 'microsoft' ? claims['oid'] : strategy === 'okta' ? claims['uid'] : undefined;
  return textOf(special) ?? textOf(claims['sub']);
};
