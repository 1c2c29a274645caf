/** Why a sign-in with the identity provider failed. */
export const signInFaults = {
  domain: 'Sign-in failed: Addresses of your domain cannot sign in here.',
  inactive: 'Sign-in failed: Your account is not active.',
  several: 'Sign-in failed: Several accounts have your address.',
  unconfirmed:
    'Sign-in failed: The account with your address has not confirmed it. Ask for a new password by email, or ask a superadmin to enter the address again.',
  unknown: 'Sign-in failed: There is no account for you here; an administrator can make one.',
  name_taken: 'Sign-in failed: Another account has your address as its name.',
  cancelled: 'Sign-in failed: it was cancelled at the provider.',
  invalid_answer: 'Sign-in failed: the answer of the provider is not valid.',
  off: 'Sign-in failed: it is not switched on.',
  unreachable: 'Sign-in failed: the provider cannot be reached; try again later.',
  late: 'Sign-in failed: it took too long, or began in another browser.',
} as const
