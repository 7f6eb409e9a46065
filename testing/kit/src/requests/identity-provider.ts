/** The configuration of an identity provider that is never contacted. */
export const providerConfig = (name: string) => ({
  key: `client of ${name}`,
  secret: `secret of ${name}`,
  authorizeUrl: `https://${name}.invalid/authorize`,
  accessUrl: `https://${name}.invalid/token`,
  profileUrl: `https://${name}.invalid/me`,
});
