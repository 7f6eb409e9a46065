/** Who a provider says somebody is, checked. */
export interface ProvenIdentity {
  issuer: string;
  /** What the issuer calls them, for ever. */
  subject: string;
  /** In lower case; undefined unless the provider says that it is theirs. */
  email: string | undefined;
  firstName: string;
  lastName: string;
}

export type Claims = Readonly<Record<string, unknown>>;

const nameLength = 200;
const emailForm = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, nameLength) : undefined;

const isYes = (value: unknown): boolean => value === true || value === 1 || value === 'true' || value === '1';

/** The address, if the provider says that it belongs to the person. Microsoft says so by `xms_edov` alone. */
export const verifiedEmail = (claims: Claims): string | undefined => {
  const email = textOf(claims['email'])?.toLowerCase();
  const isVerified = isYes(claims['email_verified']) || isYes(claims['xms_edov']);
  return isVerified && email !== undefined && emailForm.test(email) ? email : undefined;
};

/** Names are never empty, as they are not for anybody else. */
export const namesOf = (claims: Claims): { firstName: string; lastName: string } => {
  const [first, ...rest] = textOf(claims['name'])?.split(/\s+/) ?? [];
  const local = textOf(claims['email'])?.split('@')[0];
  return {
    firstName: textOf(claims['given_name']) ?? first ?? textOf(local) ?? '-',
    lastName: textOf(claims['family_name']) ?? textOf(rest.join(' ')) ?? '-',
  };
};

/** What the provider calls the person for ever: Microsoft and Okta have claims of their own for that. */
export const providerSubjectOf = (strategy: string, claims: Claims): string | undefined => {
  const special = strategy === 'microsoft' ? claims['oid'] : strategy === 'okta' ? claims['uid'] : undefined;
  return textOf(special) ?? textOf(claims['sub']);
};
