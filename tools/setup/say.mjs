/**
 * An error whose message tells the person at the terminal, in one line, what is wrong and what to do. It is shown
 * without a stack trace.
 */
export class SetUpError extends Error {}

/** Prints a line for the person who waits. Set-up uses stderr, so that stdout belongs to the program that it starts. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** The part of one core that measuring progress may use. */
const share = 0.05;

const lines = new Set();
let timer;
let shown = '';

/**
 * Shows `line()` while something long runs, beside the lines of others: refreshed in place on a terminal, as a new line
 * every few seconds in a log.
 * @returns a function that ends it
 */
export function showProgress(line) {
  lines.add(line);
  timer ??= setTimeout(show, interval());
  return () => {
    lines.delete(line);
    if (lines.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
    if (isTerminal() && shown) process.stderr.write('\n');
    shown = '';
  };
}

function show() {
  const start = performance.now();
  const text = [...lines].map((line) => line()).join('; ');
  if (text !== shown) {
    if (isTerminal()) process.stderr.write(`\r${text.padEnd(shown.length)}`);
    else say(text);
    shown = text;
  }
  timer = setTimeout(show, Math.max(interval(), (performance.now() - start) / share));
}

const isTerminal = () => process.stderr.isTTY === true && !process.env.CI;
const interval = () => (isTerminal() ? 1000 : 4000);
