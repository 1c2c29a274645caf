/** Thrown for wrong arguments or an unsuitable state. Printed without a stack. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/**
 * Names of errors whose message is meant for operators. By name, because importing the classes would load half the
 * program.
 */
const FOR_PEOPLE = [
  'CommandError',
  'ConfigError',
  'EmbeddedServerError',
  'MigrationError',
  'UsernameTakenError',
]

/** Output of a failed command: the message of errors for operators, the stack of others. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return FOR_PEOPLE.includes(error.name) ? error.message : (error.stack ?? error.message)
}
