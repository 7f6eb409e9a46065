import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState, type FormEvent, type ReactElement, type Ref } from 'react';
import { recordsText as texts } from '../../../text/records.ts';

interface LuceneBarProps {
  search: string;
  onSearch: (search: string) => void;
  inputRef: Ref<HTMLInputElement>;
}

/**
 * The input of the Lucene search. Use the search as its React key, so that it shows the earlier search after the Back
 * button.
 */
export const LuceneBar = ({ search, onSearch, inputRef }: LuceneBarProps): ReactElement => {
  const [text, setText] = useState(search);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <Box
      component="form"
      role="search"
      onSubmit={submit}
      sx={{ display: 'flex', gap: 1, flex: 1, minWidth: 240 }}
    >
      <OutlinedInput
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={texts.searchPlaceholder}
        inputProps={{ 'aria-label': texts.searchInLucene, ref: inputRef }}
        sx={{ flex: 1, maxWidth: 640 }}
      />
      <Button type="submit">{texts.search}</Button>
      {search !== '' && (
        <Button
          variant="text"
          onClick={() => {
            setText('');
            onSearch('');
          }}
        >
          {texts.clear}
        </Button>
      )}
    </Box>
  );
};
