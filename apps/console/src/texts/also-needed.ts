/** Features whose screens say texts of other features; `scripts/texts.test.ts` finds what is missing here. */
export const alsoNeeded: Readonly<Record<string, readonly string[]>> = {
  campaigns: ['deliverability', 'translations'],
  deliverability: ['dashboard'],
  messages: ['platform'],
  platform: ['messages'],
  tours: ['messages', 'platform'],
}

/** Whose texts the shell itself says, once the first screen is there: help, tours, news, refusals. */
export const neededByShell = ['dashboard', 'help', 'messages', 'tours', 'translations'] as const
