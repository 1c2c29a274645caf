import { text } from 'node:stream/consumers'
import { CommandError } from './command-error.ts'

/**
 * The password for a new account: from standard input, or from EMMA_USER_PASSWORD; undefined where neither is given. Never an
 * argument: every user of the machine reads those in the list of processes.
 *
 * @throws CommandError for one that is too short
 */
export async function readPassword(isOnInput: boolean): Promise<string | undefined> {
  const given = isOnInput
    ? (await text(process.stdin)).replace(/\r?\n$/, '')
    : process.env.EMMA_USER_PASSWORD || undefined
  if (given !== undefined && given.length < 8)
    throw new CommandError('The password must have at least 8 characters.')
  return given
}
