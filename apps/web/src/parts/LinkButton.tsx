import Button from '@mui/material/Button';
import { createLink } from '@tanstack/react-router';

/** A link that looks like a button. It is a single stop of the Tab key, and can be opened in a new tab. */
export const LinkButton = createLink(Button);
