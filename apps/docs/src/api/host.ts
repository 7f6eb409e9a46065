/** The origin of a named host, or why it is rejected. */
export type HostReading = { origin: string } | { problem: string };

const shown = (sent: string): string => JSON.stringify(sent.length > 100 ? `${sent.slice(0, 100)}…` : sent);

const advice =
  'Send scheme, name and port of a server and nothing else, such as https://data.example.org:7600.';

/** Reads the host that a link or a reader names. Anything beyond scheme, name and port is rejected. */
export const readHost = (sent: string): HostReading => {
  const text = sent.trim();
  const refuse = (why: string): HostReading => ({ problem: `The host ${shown(sent)} ${why}. ${advice}` });
  if (text === '') return refuse('is empty');
  if (!/^https?:\/\//i.test(text)) return refuse('does not begin with http:// or https://');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse('is no address');
  }
  // Programs interpret such addresses differently: they disagree about which part is the host.
  if (text.includes('\\') || /\s/.test(text)) return refuse('holds a backslash or a space');
  if (url.username !== '' || url.password !== '' || text.includes('@')) {
    return refuse('holds a user name or a password, which belong into no link');
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return refuse('holds a path, a query or a fragment');
  return { origin: url.origin };
};
