import { createAccount, type NewAccount } from '@emma/core/account/create-account.ts'
import { createDemoAccount } from '@emma/core/account/demo-account.ts'
import { createPool, createSql } from '@emma/db/connection.ts'
import { migrate } from '@emma/db/migrate.ts'
import { loadConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { openDatabase } from './open-database.ts'
import { CommandError } from './words.ts'

export type CreateUserOptions = {
  username?: string | undefined
  email?: string | undefined
  password?: string | undefined
  superadmin?: boolean | undefined
  /** Works for the demo client, whose records live in the browser. */
  demo?: boolean | undefined
}

/** `emma user create`: makes an account, also where nobody can log in any more. */
export async function createUser(options: CreateUserOptions): Promise<void> {
  const account = parseAccount(options)
  const config = loadConfig()
  const database = await openDatabase(config, createLogger('user', 'warn'))
  const pool = createPool(database.url, { max: 1 })
  try {
    await migrate(database.url)
    const create = options.demo ? createDemoAccount : createAccount
    const { username, password } = await create(createSql(pool), account)
    console.log(options.password ? `Account made: ${username}` : `Account made: ${username} / ${password}`)
  } finally {
    await pool.end()
    await database.close()
  }
}

function parseAccount({
  username,
  email,
  password,
  superadmin = false,
  demo,
}: CreateUserOptions): NewAccount {
  if (superadmin && demo)
    throw new CommandError('Give --superadmin or --demo: the demo is not for superadmins.')
  if (!username || !email)
    throw new CommandError(
      'Give --username NAME and --email ADDRESS (and --superadmin for one who may do everything).',
    )
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`"${email}" is not an e-mail address.`)
  if (password !== undefined && password.length < 8)
    throw new CommandError('The password must have at least 8 characters.')
  return { username, email, superadmin, ...(password && { password }) }
}
