/** Features whose screens use texts of other features; `scripts/texts.test.ts` fails where one is missing. */
export const textDependencies: Readonly<Record<string, readonly string[]>> = {
  audience: ['content', 'contract'],
  billing: ['translations'],
  campaigns: ['deliverability', 'translations'],
  content: ['audience'],
  deliverability: ['dashboard'],
  guidance: ['platform'],
  platform: ['guidance'],
  recurring: ['campaigns', 'deliverability', 'reports'],
  transactional: ['deliverability'],
}

/** Features whose texts the shell uses after the first screen: help, tours, news and error messages. */
export const shellTextDependencies = ['contract', 'dashboard', 'guidance', 'translations'] as const
