/**
 * Ends the process at once. `process.exit` waits for native code of the engine or the system, and ends threads while
 * this code runs: that can crash, and leave a process that hangs. Instead, the operating system replaces the process by
 * a new one that exits at once with this code.
 */
export const endProcess = (exitCode: number): void => {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exitCode = ${exitCode}`], {});
  } catch {
    // Not available on this system: end without the exit code.
  }
  process.kill(process.pid, 'SIGKILL');
};
