/**
 * The Content-Security-Policy of the loaded document decides which hosts a page may call. Navigation within the site
 * loads no new document. Documents of this reference may call any host, all others only their own.
 */
export const isLoadedFrom = (section: string): boolean => {
  const [loaded] = performance.getEntriesByType('navigation');
  return loaded === undefined || new URL(loaded.name).pathname.startsWith(section);
};

/** Reloads the current page with this host. */
export const loadAnewFor = (host: string): void => {
  const address = new URL(window.location.href);
  address.searchParams.set('host', host);
  window.location.replace(address);
};
