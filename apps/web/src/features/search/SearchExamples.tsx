import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { escapeField } from './lucene-terms.ts';
import type { SearchField } from './LuceneInput.tsx';
import { searchText as texts } from '../../text/search.ts';

const numbers = new Set(['bigint', 'double precision', 'numeric']);

/** Example searches on fields that are visible to the person. */
const examplesFor = (fields: readonly SearchField[]): (readonly [example: string, meaning: string])[] => {
  const text = fields.find(({ type }) => type === 'text');
  const number = fields.find(({ type }) => numbers.has(type));
  const textName = escapeField(text?.name ?? 'name');
  const numberName = escapeField(number?.name ?? 'size');
  return [
    ['*:*', 'every record'],
    [`${textName}:*`, 'records with this field'],
    [`${textName}:a*`, 'words that begin with a letter'],
    [`${numberName}:[1 TO 100]`, 'numbers in a range, both ends included'],
    [`${numberName}:>=1000 AND NOT ${textName}:closed`, 'two conditions'],
    [`${textName}:"two words"`, 'words side by side'],
  ];
};

export const SearchExamples = ({
  fields,
  onChoose,
}: {
  fields: readonly SearchField[];
  onChoose: (example: string) => void;
}): ReactElement => (
  <Box>
    <Typography variant="h2" sx={{ mb: 1 }}>
      {texts.tryOne}
    </Typography>
    {examplesFor(fields).map(([example, meaning]) => (
      <Box key={example} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Button
          variant="text"
          onClick={() => onChoose(example)}
          sx={{ fontFamily: '"Roboto Mono", monospace' }}
        >
          {example}
        </Button>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {meaning}
        </Typography>
      </Box>
    ))}
  </Box>
);
