/** Wrong arguments, or a state the command cannot work with. Printed without a stack. */
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

/** Output of a failed command: the message of errors for operators, the stack of all others. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return FOR_PEOPLE.includes(error.name) ? error.message : (error.stack ?? error.message)
}
