import Button from '@mui/material/Button';
import { createLink } from '@tanstack/react-router';

/** A link that looks like a button: one stop of the tab key, and it opens in a new tab like any link. */
export const LinkButton = createLink(Button);
