import type { Dataset } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ReactElement } from 'react';
import { datasetsText } from '../../text/datasets.ts';
import { snippets } from './snippets.ts';

const texts = datasetsText.code;

const Snippet = ({ title, code }: { title: string; code: string }): ReactElement => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code);
    setIsCopied(true);
  };
  return (
    <Box component="section" sx={{ mb: 3 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', mb: 1 }}>
        <Typography variant="h2" sx={{ flex: 1 }}>
          {title}
        </Typography>
        <Button variant="text" onClick={() => void copy()} aria-label={texts.copyOne(title)}>
          {isCopied ? texts.copied : texts.copy}
        </Button>
      </Box>
      <Box
        component="pre"
        tabIndex={0}
        aria-label={title}
        sx={{
          m: 0,
          p: 2,
          overflow: 'auto',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          backgroundColor: 'background.sunken',
        }}
      >
        <code>{code}</code>
      </Box>
    </Box>
  );
};

/** Examples of code that reads and writes the dataset. */
export const CodeTab = ({ dataset }: { dataset: Dataset }): ReactElement => (
  <Box sx={{ p: { xs: 2, md: 3 }, maxWidth: 880 }}>
    <Typography sx={{ mb: 2, color: 'text.secondary' }}>{texts.hint}</Typography>
    {snippets(location.origin, dataset.id).map(({ title, code }) => (
      <Snippet key={title} title={title} code={code} />
    ))}
  </Box>
);
