/** A mistake in how the program was called or what it found, in words that need no stack. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** Errors whose message is written for operators. By name: importing them all would load half the program. */
const FOR_PEOPLE = [
  'CommandError',
  'ConfigError',
  'EmbeddedServerError',
  'MigrationError',
  'UsernameTakenError',
]

/** What to print for an error: its words where it was made for people, everything there is where it was not. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return FOR_PEOPLE.includes(error.name) ? error.message : (error.stack ?? error.message)
}
