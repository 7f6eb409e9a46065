/**
 * Ends the process at once. `process.exit` waits for native code of the engine or the system and ends threads while it
 * runs, which can crash and leave a process that neither ends nor works. Here the operating system replaces the process
 * by one that only ends, with this exit code.
 */
export const endProcess = (exitCode: number): void => {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exitCode = ${exitCode}`], {});
  } catch {
    // Not available on this system: end without the exit code.
  }
  process.kill(process.pid, 'SIGKILL');
};
