/**
 * Which hosts a page may ask is settled by the document that the browser has loaded, and going from page to page by links
 * of the site loads none. Documents of this reference may ask any host, all others of the site only their own.
 */
export const isLoadedFrom = (section: string): boolean => {
  const [loaded] = performance.getEntriesByType('navigation');
  return loaded === undefined || new URL(loaded.name).pathname.startsWith(section);
};

/** Loads the present page anew, with this host. */
export const loadAnewFor = (host: string): void => {
  const address = new URL(window.location.href);
  address.searchParams.set('host', host);
  window.location.replace(address);
};
