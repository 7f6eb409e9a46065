/** The certificate of a test server with its key, in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}
