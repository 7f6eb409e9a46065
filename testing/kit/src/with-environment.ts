/** Runs something with more environment variables, and removes them afterwards. */
export const withEnvironment = async <Result>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> => {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(variables)) {
      const value = before[name];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
};
