/** The support chat of a site: the script of its widget, and the key by which the widget knows the site. */
export interface ChatSettings {
  readonly key: string;
  readonly src: string;
}
