/**
 * A fault whose message is all that the person at the keyboard needs: what is wrong and what to do, in one
 * line. It is shown without a stack.
 */
export class SetUpError extends Error {}

/** One line for the person who waits; set-up speaks on stderr, so that stdout belongs to what it starts. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Shows `line()` while something long goes on: refreshed in place on a terminal, as a plain line every few
 * seconds in a log. Answers a function that ends it.
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
