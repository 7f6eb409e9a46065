/** The effort of a test: the number in an environment variable such as REDOUBT_RANDOM_ROUNDS, or `usual`. */
export const readTestEffort = (variable: string, usual: number): number =>
  Number(process.env[variable] ?? usual);
