import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { mailToken } from './entry-address.ts';

/** Requests a link to set a new password. The response does not disclose whether the address has an account. */
export const useRequestReset = () =>
  useMutation({ mutationFn: (email: string) => api.requestPasswordReset({ body: { email } }) });

export const useSetPassword = () =>
  useMutation({
    mutationFn: (password: string) => api.confirmPasswordReset({ body: { token: mailToken, password } }),
  });

export const useConfirmEmail = () =>
  useMutation({ mutationFn: () => api.confirmEmail({ body: { token: mailToken } }) });

export const useConfirmEmailChange = () =>
  useMutation({ mutationFn: () => api.confirmEmailChange({ body: { token: mailToken } }) });

/** Requests another link that confirms the address of the person who is signed in. */
export const useRequestVerification = () => useMutation({ mutationFn: () => api.requestEmailVerification() });
