import { TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { attributesQuery, useOwnRights } from '../../api/shared-queries.ts';
import { labelProblem, unknownAttributes } from './label-problem.ts';
import { completeToken, tokenAtCursor } from './token-completion.ts';
import { uploadsText as texts } from '../../text/uploads.ts';

interface LabelInputProps {
  label: string;
  value: string;
  /** By default the grammar of labels. */
  hint?: string;
  onChange: (value: string) => void;
}

/** The maximum number of options that are shown at once. */
const maxShown = 8;

/**
 * An input for a label expression. It completes tokens from the attributes that are visible to the person, and checks
 * the grammar while somebody types.
 */
export const LabelInput = ({
  label,
  value,
  hint = texts.labelHint,
  onChange,
}: LabelInputProps): ReactElement => {
  const { data } = useQuery(attributesQuery);
  // Others see only the attributes that they hold.
  const seesAll = useOwnRights()?.has('manage-attributes') === true;
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [cursor, setCursor] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { prefix } = tokenAtCursor(value, cursor);
  const wanted = prefix.toUpperCase();
  const options = (data?.data ?? [])
    .filter(({ token }) => token.startsWith(wanted) && token !== wanted)
    .slice(0, maxShown);
  const isShown = isOpen && options.length > 0;
  const problem = value === '' ? undefined : labelProblem(value);
  const unknown =
    seesAll && data !== undefined
      ? unknownAttributes(value, new Set(data.data.map(({ token }) => token)))
      : [];

  const choose = (token: string): void => {
    const next = completeToken(value, cursor, token);
    onChange(next.label);
    setCursor(next.cursor);
    setIsOpen(false);
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(next.cursor, next.cursor);
    });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = options[active];
    if (event.key === 'ArrowDown' && !isShown) setIsOpen(true);
    else if (!isShown) return;
    else if (event.key === 'ArrowDown') setActive((active + 1) % options.length);
    else if (event.key === 'ArrowUp') setActive((active + options.length - 1) % options.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) choose(chosen.token);
    else if (event.key === 'Escape') setIsOpen(false);
    else return;
    event.preventDefault();
  };

  return (
    <Box sx={{ position: 'relative' }}>
      <TextInput
        label={label}
        value={value}
        inputRef={input}
        autoComplete="off"
        spellCheck={false}
        problem={problem}
        hint={unknown.length > 0 ? texts.unknownAttributes(unknown) : hint}
        onChange={(event) => {
          onChange(event.target.value);
          setCursor(event.target.selectionStart ?? event.target.value.length);
          setActive(0);
          setIsOpen(true);
        }}
        onSelect={(event) => setCursor((event.target as HTMLInputElement).selectionStart ?? 0)}
        onFocus={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onKeyDown={onKeyDown}
        inputProps={{
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': isShown,
          'aria-controls': listId,
          'aria-activedescendant': isShown ? `${listId}-${String(active)}` : undefined,
          style: { fontFamily: '"Roboto Mono", monospace', fontSize: 13 },
        }}
      />
      <Box
        component="ul"
        role="listbox"
        id={listId}
        aria-label={texts.attributes}
        hidden={!isShown}
        sx={{
          position: 'absolute',
          zIndex: 3,
          top: 54,
          left: 0,
          right: 0,
          m: 0,
          p: 0.5,
          listStyle: 'none',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          backgroundColor: 'background.paper',
          boxShadow: 4,
        }}
      >
        {options.map(({ token, name }, index) => (
          <Box
            component="li"
            key={token}
            id={`${listId}-${String(index)}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(token);
            }}
            sx={{
              display: 'flex',
              gap: 1,
              px: 1,
              py: 0.5,
              borderRadius: 1,
              cursor: 'pointer',
              backgroundColor: index === active ? 'background.selected' : undefined,
            }}
          >
            <code>{token}</code>
            {name !== token && (
              <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
                <bdi>{name}</bdi>
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </Box>
  );
};
