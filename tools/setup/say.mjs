/**
 * An error whose message tells the person at the terminal, in one line, what is wrong and what to do. It is shown
 * without a stack trace.
 */
export class SetUpError extends Error {}

/** Prints a line for the person who waits. Set-up uses stderr, so that stdout belongs to the program that it starts. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Shows `line()` while something long runs: refreshed in place on a terminal, as a new line every few seconds in a log.
 * @returns a function that ends it
 */
export function showProgress(line) {
  const terminal = process.stderr.isTTY === true && !process.env.CI;
  let shown = '';
  let ended = false;
  const show = async () => {
    const text = await line();
    if (ended || text === shown) return;
    if (terminal) process.stderr.write(`\r${text.padEnd(shown.length)}`);
    else say(text);
    shown = text;
  };
  const timer = setInterval(() => void show(), terminal ? 1000 : 4000);
  return () => {
    ended = true;
    clearInterval(timer);
    if (terminal && shown) process.stderr.write('\n');
  };
}
