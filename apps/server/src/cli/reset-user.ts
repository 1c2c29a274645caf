import { makePasswordLink, type PasswordLink } from '@emma/core/account/password-reset.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { passwordUrl } from '../mail/send-password-link.ts'
import { withDatabase } from './with-database.ts'
import { CommandError } from './command-error.ts'

export type ResetUserOptions = {
  username?: string | undefined
  'second-factor'?: boolean | undefined
}

/**
 * `emma user reset`: prints a one-time link to choose a new password, for installations without email and for
 * locked-out superadmins. `--second-factor` also removes the second factor of a user who lost it with all recovery
 * codes.
 */
export async function resetUser(options: ResetUserOptions): Promise<void> {
  const { username, 'second-factor': removesSecondFactor = false } = options
  if (!username) throw new CommandError('Give --username NAME.')
  await withDatabase(async (db, config) => {
    const link = await makeLink(() => makePasswordLink(db, username, { removesSecondFactor }), username)
    const life = link.isInvitation ? '7 days' : '60 minutes'
    console.log(`Link for ${link.username}, valid once, for ${life}:\n${passwordUrl(config, link)}`)
  })
}

async function makeLink(make: () => Promise<PasswordLink>, username: string): Promise<PasswordLink> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof EmmaError && error.code === 'not_found')
      throw new CommandError(`There is no active account "${username}".`)
    throw error
  }
}
