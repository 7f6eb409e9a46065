import OutlinedInput from '@mui/material/OutlinedInput';
import { useState, type FormEvent, type ReactElement } from 'react';
import { recordsText as texts } from '../../../text/records.ts';

/** An input that scrolls to a row by its number. */
export const JumpToRow = ({ onJump }: { onJump: (row: number) => void }): ReactElement => {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const row = Number(text.replaceAll(/[,.\s]/g, ''));
    if (Number.isSafeInteger(row) && row >= 1) onJump(row - 1);
  };
  return (
    <form onSubmit={submit}>
      <OutlinedInput
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={texts.row}
        inputProps={{ 'aria-label': texts.goToRow, inputMode: 'numeric' }}
        sx={{ width: 96 }}
      />
    </form>
  );
};
