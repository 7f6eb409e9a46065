/** The support chat of a site: the URL of its script, and the key that identifies the site. */
export interface ChatSettings {
  readonly key: string;
  readonly src: string;
}
