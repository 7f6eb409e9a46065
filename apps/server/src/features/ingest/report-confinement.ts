import type { Logger } from '../../platform/log/logger.ts';
import { describeConfinement, type Confinement } from './parser/confinement.ts';

/** Logs how the processes that parse files are confined on this system, and what recognises text. */
export const createReportConfinement =
  ({
    confinement,
    engineName,
    findLanguageProblem,
    logger,
  }: {
    confinement: () => Promise<Confinement>;
    engineName: () => Promise<string>;
    findLanguageProblem: () => Promise<string | undefined>;
    logger: Pick<Logger, 'error' | 'info' | 'warn'>;
  }) =>
  async (): Promise<void> => {
    const found = await confinement();
    const isWhole = found.hasLimits && found.hasNoNetwork;
    logger[isWhole ? 'info' : 'warn'](describeConfinement(found));
    logger.info(`Text in images is recognised by ${await engineName()}.`);
    const problem = await findLanguageProblem();
    if (problem !== undefined) logger.error(`OCR_LANGUAGES must contain ${problem}`);
  };
