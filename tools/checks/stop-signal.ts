/** Aborts when this program is told to end, so that it can stop what it has started first. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopped.abort());
  return stopped.signal;
}
