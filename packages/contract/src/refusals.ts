/** Why a call is refused, where the code of the error table tells too little; what stands in braces is filled in. */
export const refusals = {
  no_domain: 'There is no domain to send the test from. Set one up first.',
  no_mailclass: 'There is no mail class to send the test with. Make one first.',
} as const
