import { availableParallelism } from 'node:os'

/**
 * Checkers repeat each other's work. On two cores, which other checks use too, one thread takes a third less processor
 * time.
 */
const threads =
  availableParallelism() > 2
    ? ['--checkers', String(Math.min(4, availableParallelism()))]
    : ['--singleThreaded']

/** Without warnings, among which an error is overlooked. */
const lint = ['--quiet']

/**
 * The checks of the sources that need no build: name and command. Type-aware lint rules take ten times as long as all
 * others: of all files with CI=true, of changed files in `npm run check`.
 */
export const sourceChecks = [
  { name: 'format', command: 'biome', args: ['format', '.'] },
  { name: 'lint', command: 'oxlint', args: process.env.CI ? [...lint, '--type-aware'] : lint },
  { name: 'types', command: 'tsc', args: ['--noEmit', '-p', 'tsconfig.json', ...threads] },
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

/**
 * Returns the checks of `npm run check`. `npm test` adds the database types, which need a PostgreSQL server.
 * @param changed paths from the root
 */
export function quickChecks(changed) {
  const sources = changed.filter(path => /\.(?:[cm]?ts|tsx)$/.test(path))
  const quick = sourceChecks.filter(({ name }) => name !== 'database types')
  if (sources.length === 0) return quick
  return [
    ...quick,
    {
      name: `lint with types of ${sources.length} changed files`,
      command: 'oxlint',
      args: [...lint, '--type-aware', ...sources],
    },
  ]
}
