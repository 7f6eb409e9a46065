import type { ReactElement } from 'react';
import { AbsentPage } from '../parts/AbsentPage.tsx';
import { LinkButton } from '../parts/LinkButton.tsx';
import { shellText } from '../text/shell.ts';

const texts = shellText.notFound;

export const NotFoundPage = (): ReactElement => (
  <AbsentPage title={texts.title} hint={texts.hint}>
    <LinkButton to="/datasets">{texts.open}</LinkButton>
  </AbsentPage>
);
