import { pythonWith, type Python } from '@redoubt/testkit';

/** The published connector, which brings pandas and requests. It takes Python up to 3.11. */
const connector = ['kdp-python-connector==0.121.0'];
/** What examples without it need, on machines whose Python is newer. */
const others = ['pandas==2.2.3', 'requests==2.34.2'];

/** An environment of Python that examples run in, with the published connector where one needs it. */
export const pythonForExamples = async (needsConnector: boolean): Promise<Python> => {
  const withConnector = await pythonWith(...connector);
  return 'missing' in withConnector && !needsConnector ? pythonWith(...others) : withConnector;
};
