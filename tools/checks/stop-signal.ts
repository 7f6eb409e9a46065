/** A signal that aborts when this program should end, so that it can first stop what it has started. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopped.abort());
  return stopped.signal;
}
