/** Why a request is rejected, where the error code is too general. Braces contain names of values. */
export const refusals = {
  no_domain: 'There is no domain to send the test from. Set one up first.',
  no_mailclass: 'There is no mail class to send the test with. Make one first.',
} as const
