import { text } from 'node:stream/consumers'
import { CommandError } from './command-error.ts'

/**
 * Reads the password of a new account from standard input or EMMA_USER_PASSWORD; undefined without either. Never an
 * argument: every user of the machine can list those.
 * @throws CommandError if it is too short
 */
export async function readPassword(isOnInput: boolean): Promise<string | undefined> {
  const given = isOnInput
    ? (await text(process.stdin)).replace(/\r?\n$/, '')
    : process.env.EMMA_USER_PASSWORD || undefined
  if (given !== undefined && given.length < 8)
    throw new CommandError('The password must have at least 8 characters.')
  return given
}
