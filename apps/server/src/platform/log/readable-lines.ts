const levels: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/**
 * Converts lines of a log from JSON to text for a person at a terminal: time, level, message, and the rest as
 * `name=value`.
 * @param write gets each line, with its end
 */
export const readableLines = (write: (line: string) => void): { write(line: string): void } => ({
  write: (line) => {
    const {
      level,
      time,
      msg = '',
      ...details
    } = JSON.parse(line) as {
      level: number;
      time: number;
      msg?: string;
    };
    const clock = new Date(time).toTimeString().slice(0, 8);
    const rest = Object.entries(details).map(([name, value]) => ` ${name}=${textOf(value)}`);
    write(`${clock} ${levels[level] ?? 'info'}: ${msg}${rest.join('')}\n`);
  },
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
