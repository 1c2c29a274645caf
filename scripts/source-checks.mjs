/** The checks of the sources that need no build: what they are called, and the command of each. */
export const sourceChecks = [
  { name: 'format', command: 'biome', args: ['format', '.'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware'] },
  { name: 'types', command: 'tsc', args: ['--noEmit', '-p', 'tsconfig.json'] },
  { name: 'imports', command: 'node', args: ['scripts/check-imports.ts'] },
  { name: 'language', command: 'node', args: ['scripts/check-language.ts'] },
  { name: 'database types', command: 'node', args: ['scripts/generate-database-types.ts', '--check'] },
  {
    name: 'coverage of the requirements',
    command: 'node',
    args: ['scripts/generate-coverage.ts', '--check'],
  },
  { name: 'list of routes', command: 'node', args: ['scripts/generate-routes.ts', '--check'] },
  { name: 'unused', command: 'knip', args: ['--no-config-hints', '--cache'] },
]

/** Of these, what `npm run check` leaves to `npm test`: the database types start a PostgreSQL server. */
const SLOW = ['database types']

export const quickChecks = sourceChecks.filter(({ name }) => !SLOW.includes(name))
