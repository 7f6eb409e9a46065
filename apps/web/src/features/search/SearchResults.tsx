import type { ResponseOf, Routes } from '@redoubt/contract';
import { CellText } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { searchText as texts } from '../../text/search.ts';
import { findWords } from './lucene-terms.ts';

type Summaries = ResponseOf<Routes['summarizeLucene']>;

const maxFields = 6;
const maxCharacters = 300;

const toText = (value: unknown): string => {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
};

/** A text in which the words of the search are highlighted. */
const Marked = ({ text, words }: { text: string; words: readonly string[] }): ReactElement => {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { from, to } of findWords(text, words)) {
    parts.push(
      text.slice(end, from),
      <Box
        component="mark"
        key={from}
        sx={{
          color: 'text.primary',
          backgroundColor: (own) => own.vars?.palette.warning.tint,
          fontWeight: 500,
        }}
      >
        {text.slice(from, to)}
      </Box>,
    );
    end = to;
  }
  return (
    <bdi>
      {parts}
      {text.slice(end)}
    </bdi>
  );
};

/** The fields of a record. Those that contain words of the search come first. */
const fieldsToShow = (
  record: Readonly<Record<string, unknown>>,
  words: readonly string[],
): [string, string][] => {
  const fields = Object.entries(record).map(([name, value]): [string, string] => [name, toText(value)]);
  const hits = fields.filter(([, text]) => findWords(text, words).length > 0);
  return [...hits, ...fields.filter((field) => !hits.includes(field))].slice(0, maxFields);
};

interface SearchResultsProps {
  summaries: Summaries;
  words: readonly string[];
  expression: string;
}

/** The first matches of each dataset. */
export const SearchResults = ({ summaries, words, expression }: SearchResultsProps): ReactElement => (
  <>
    {summaries.map(({ datasetId, name, total, records }) => (
      <Box component="section" key={datasetId} aria-label={name} sx={{ mb: 3 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 2, mb: 1 }}>
          <Typography variant="h2">
            <bdi>{name}</bdi>
          </Typography>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {texts.matches(total)}
          </Typography>
          <Link to="/datasets/$id" params={{ id: datasetId }} search={{ q: expression }}>
            {total > records.length ? texts.openAll(total) : texts.openInDataset}
          </Link>
        </Box>
        {records.map((record, at) => (
          <Box
            key={at}
            component="dl"
            sx={{
              m: 0,
              py: 1,
              borderTop: 1,
              borderColor: 'divider',
              display: 'grid',
              gridTemplateColumns: { xs: '104px minmax(0, 1fr)', sm: '160px minmax(0, 1fr)' },
              columnGap: 2,
              fontSize: 13,
              lineHeight: '20px',
            }}
          >
            {fieldsToShow(record, words).map(([field, text]) => (
              <Box key={field} sx={{ display: 'contents' }}>
                <Box
                  component="dt"
                  sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  <bdi>{field}</bdi>
                </Box>
                <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                  {text === '' ? <CellText value={record[field]} /> : <Marked text={text} words={words} />}
                </Box>
              </Box>
            ))}
          </Box>
        ))}
      </Box>
    ))}
  </>
);
