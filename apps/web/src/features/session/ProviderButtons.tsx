import type { SignInOptions } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import type { ReactElement } from 'react';
import { providerSignInUrl } from './sign-in-options.ts';
import { sessionText as texts } from '../../text/session.ts';

interface ProviderButtonsProps {
  providers: SignInOptions['providers'];
  workspaceId: string;
  next: string;
  /** Called when the person goes to a provider. */
  onLeave?: () => void;
}

/** One button for each identity provider of the server or workspace. */
export const ProviderButtons = ({
  providers,
  workspaceId,
  next,
  onLeave,
}: ProviderButtonsProps): ReactElement | null =>
  providers.length === 0 ? null : (
    <Box component="section" aria-label={texts.identityProviders} sx={{ mt: 2 }}>
      <Divider sx={{ mb: 2, color: 'text.secondary' }}>{texts.or}</Divider>
      <Box sx={{ display: 'grid', gap: 1 }}>
        {providers.map(({ strategy, name }) => (
          <Button
            key={strategy}
            component="a"
            href={providerSignInUrl(strategy, workspaceId, next)}
            onClick={onLeave}
            variant="outlined"
            fullWidth
          >
            {strategy === 'custom' ? texts.continueWithSso : texts.continueWith(name)}
          </Button>
        ))}
      </Box>
    </Box>
  );
