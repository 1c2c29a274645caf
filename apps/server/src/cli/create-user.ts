import { createAccount, type NewAccount } from '@emma/core/account/create-account.ts'
import { createDemoAccount } from '@emma/core/account/demo-account.ts'
import { readPassword } from './read-password.ts'
import { withDatabase } from './with-database.ts'
import { CommandError } from './command-error.ts'

export type CreateUserOptions = {
  username?: string | undefined
  email?: string | undefined
  'password-stdin'?: boolean | undefined
  superadmin?: boolean | undefined
  /** Creates a user of the demo client, whose records are stored in the browser. */
  demo?: boolean | undefined
}

/** `emma user create`: creates an account, also if nobody can log in any more. */
export async function createUser(options: CreateUserOptions): Promise<void> {
  const account = parseAccount(options)
  const password = await readPassword(options['password-stdin'] === true)
  await withDatabase(async db => {
    const create = options.demo ? createDemoAccount : createAccount
    const created = await create(db, { ...account, ...(password !== undefined && { password }) })
    const shown = password === undefined ? ` / ${created.password}` : ''
    console.log(`Account created: ${created.username}${shown}`)
  })
}

function parseAccount({ username, email, superadmin = false, demo }: CreateUserOptions): NewAccount {
  if (superadmin && demo)
    throw new CommandError('Give --superadmin or --demo: the demo is not for superadmins.')
  if (!username || !email)
    throw new CommandError(
      'Give --username NAME and --email ADDRESS (and --superadmin for one who may do everything).',
    )
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`"${email}" is not an email address.`)
  return { username, email, superadmin }
}
