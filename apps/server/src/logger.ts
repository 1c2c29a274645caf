import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type { Logger } from 'pino'

/** Names of secret fields, whose values are removed from the log at any depth. */
const SECRETS = [
  'password',
  'new_password',
  'password_hash',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'api_key',
  'private_key',
  'authorization',
  'cookie',
  'set-cookie',
  'databaseUrl',
  'connectionString',
  // Property of URL errors.
  'input',
]

/**
 * Creates the logger of one role: JSON lines, or readable ones on a terminal.
 * @param role added to every line
 * @param destination instead of standard output
 */
export function createLogger(role: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { role },
    redact: SECRETS.flatMap(name => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`, `*.*.*["${name}"]`]),
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (destination || !process.stdout.isTTY)
    return pino(options, destination ?? pino.destination({ sync: true }))
  return pino(
    options,
    pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'role', messageFormat: '{role}: {msg}' }),
  )
}
