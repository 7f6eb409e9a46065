import { pythonWith, type Python } from '@redoubt/testkit';

/** The published connector, with pandas and requests. It supports Python up to 3.11. */
const connector = ['kdp-python-connector==0.121.0'];
/** The packages of examples without the connector, on machines with a newer Python. */
const others = ['pandas==2.2.3', 'requests==2.34.2'];

/** A Python environment for the examples, with the published connector if one needs it. */
export const pythonForExamples = async (needsConnector: boolean): Promise<Python> => {
  const withConnector = await pythonWith(...connector);
  return 'missing' in withConnector && !needsConnector ? pythonWith(...others) : withConnector;
};
