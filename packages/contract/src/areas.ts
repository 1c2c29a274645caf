/** Product areas: one name each, used in contract, core, console and docs. */
export const areas = [
  'campaigns',
  'recurring',
  'transactional',
  'content',
  'audience',
  'reports',
  'deliverability',
  'esps',
  'billing',
  'dashboard',
  'platform',
  'messages',
  'tours',
  'help',
  'account',
] as const

export type Area = (typeof areas)[number]
