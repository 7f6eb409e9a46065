/** How much a test tries: the number in an environment variable such as REDOUBT_RANDOM_ROUNDS, else `usual`. */
export const readTestEffort = (variable: string, usual: number): number =>
  Number(process.env[variable] ?? usual);
