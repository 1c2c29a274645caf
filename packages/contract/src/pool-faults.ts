/** Why a domain of a domain pool is not used. */
export const poolFaults = [
  'deleted',
  'not_in_pool',
  'not_verified',
  'blocklisted',
  'no_key',
  'strict',
] as const
export type PoolFault = (typeof poolFaults)[number]
