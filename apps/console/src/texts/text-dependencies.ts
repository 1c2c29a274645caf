/** Features whose screens use texts of other features; `scripts/texts.test.ts` fails where one is missing. */
export const textDependencies: Readonly<Record<string, readonly string[]>> = {
  campaigns: ['deliverability', 'translations'],
  deliverability: ['dashboard'],
  messages: ['platform'],
  platform: ['messages'],
  tours: ['messages', 'platform'],
}

/** Features whose texts the shell uses once the first screen is there: help, tours, news, error messages. */
export const shellTextDependencies = ['dashboard', 'help', 'messages', 'tours', 'translations'] as const
