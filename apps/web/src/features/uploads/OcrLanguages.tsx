import { SelectInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { X } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { ingestOptionsQuery } from '../../api/shared-queries.ts';
import { uploadsText as texts } from '../../text/uploads.ts';

/** The API accepts no more languages for one file. */
const maxLanguages = 5;

const names = new Intl.DisplayNames('en', { type: 'language' });

/** The name of a language by its code of Tesseract: `deu` gives `German`, and `chi_sim` stays. */
const languageName = (code: string): string => (/^[a-z]{3}$/.test(code) ? (names.of(code) ?? code) : code);

interface OcrLanguagesProps {
  /** The codes of the languages; none for those that the server recognises by default. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** The languages of the text in scans and pictures. Shows nothing where the server has only one. */
export const OcrLanguages = ({ chosen, onChange }: OcrLanguagesProps): ReactElement | null => {
  const { data } = useQuery(ingestOptionsQuery);
  if (data === undefined || data.ocrLanguages.length < 2) return null;
  const defaults = data.defaultOcrLanguages.map(languageName).join(', ');
  const rest = data.ocrLanguages
    .filter((code) => !chosen.includes(code))
    .map((value) => ({ value, text: languageName(value) }))
    .toSorted((a, b) => a.text.localeCompare(b.text));
  return (
    <Box sx={{ mt: 2 }}>
      <SelectInput
        label={texts.ocrLanguages}
        value=""
        disabled={rest.length === 0 || chosen.length >= maxLanguages}
        hint={texts.ocrLanguagesHint}
        options={[
          { value: '', text: chosen.length === 0 ? texts.defaultLanguages(defaults) : texts.addLanguage },
          ...rest,
        ]}
        onChange={(code) => onChange(code === '' ? chosen : [...chosen, code])}
      />
      {chosen.length > 0 && (
        <Box
          component="ul"
          aria-label={texts.chosenLanguages}
          sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, listStyle: 'none', p: 0, m: 0, mb: 2 }}
        >
          {chosen.map((code) => (
            <li key={code}>
              <Button
                size="small"
                endIcon={<X size={14} aria-hidden />}
                aria-label={texts.removeLanguage(languageName(code))}
                onClick={() => onChange(chosen.filter((one) => one !== code))}
              >
                {languageName(code)}
              </Button>
            </li>
          ))}
        </Box>
      )}
    </Box>
  );
};
