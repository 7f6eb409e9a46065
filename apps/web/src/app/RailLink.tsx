import Box from '@mui/material/Box';
import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { Icon } from '@redoubt/ui/icons';
import { forwardRef, type AnchorHTMLAttributes } from 'react';

interface RailLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  icon: Icon;
  label: string;
}

const Anchor = forwardRef<HTMLAnchorElement, RailLinkProps>(({ icon: Icon, label, ...anchor }, ref) => (
  <Box
    component="a"
    ref={ref}
    {...anchor}
    title={label}
    sx={{
      display: 'flex',
      flexDirection: { xs: 'column', sm: 'row' },
      alignItems: 'center',
      justifyContent: { xs: 'center', sm: 'flex-start' },
      gap: { xs: 0.25, sm: 1.5 },
      px: { xs: 0.75, sm: 1.25 },
      height: { xs: 40, sm: 36 },
      borderRadius: 1,
      textDecoration: 'none',
      color: 'text.secondary',
      fontSize: { xs: 12, sm: 13 },
      lineHeight: '16px',
      '&:hover': { color: 'text.primary' },
      '&[aria-current="page"]': {
        color: 'text.primary',
        fontWeight: 500,
        backgroundColor: 'background.selected',
      },
    }}
  >
    <Icon size={16} strokeWidth={1.5} aria-hidden />
    <Box component="span" sx={{ display: { xs: 'inline', sm: 'none', lg: 'inline' } }}>
      {label}
    </Box>
  </Box>
));
Anchor.displayName = 'Anchor';

const Link = createLink(Anchor);

/** A link of the navigation, highlighted while its page or one below it is open. */
export const RailLink: LinkComponent<typeof Anchor> = (props) => <Link {...props} />;
