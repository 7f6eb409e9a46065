/**
 * Ends the process at once. `process.exit` waits for whatever native code of the engine or of the system still runs, and
 * ends threads under it, which can crash so that the process neither ends nor works. Here the system replaces the process
 * by one that only ends, with this exit code.
 */
export const endProcess = (exitCode: number): void => {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exitCode = ${exitCode}`], {});
  } catch {
    // Not offered on this system: then without an exit code.
  }
  process.kill(process.pid, 'SIGKILL');
};
