import Box from '@mui/material/Box';
import { Check } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { sourcesText as texts } from '../../../text/sources.ts';

/** The steps of the import; `current` counts from 0. */
export const StepList = ({ current }: { current: number }): ReactElement => (
  <Box
    component="ol"
    aria-label={texts.stepsLabel}
    sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, listStyle: 'none', p: 0, m: 0, mb: 2 }}
  >
    {texts.steps.map((name, at) => {
      const isCurrent = at === current;
      return (
        <Box
          component="li"
          key={name}
          aria-current={isCurrent ? 'step' : undefined}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1,
            pb: 0.5,
            borderBottom: 2,
            borderColor: isCurrent ? 'primary.main' : 'transparent',
            fontWeight: isCurrent ? 500 : 400,
            color: isCurrent ? 'text.primary' : 'text.secondary',
          }}
        >
          <Box
            component="span"
            aria-hidden
            sx={{
              display: 'inline-flex',
              alignItems: 'center',
              justifyContent: 'center',
              width: 20,
              height: 20,
              borderRadius: 1,
              fontSize: 12,
              fontWeight: 500,
              color: isCurrent ? 'primary.contrastText' : 'text.secondary',
              backgroundColor: isCurrent ? 'primary.main' : 'background.chip',
            }}
          >
            {at < current ? <Check size={12} strokeWidth={2} aria-hidden /> : at + 1}
          </Box>
          {name}
        </Box>
      );
    })}
  </Box>
);
