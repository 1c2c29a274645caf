#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CommandError, describeFailure } from './command-error.ts'

const help = `EMMA, a self-hosted platform for email marketing.

  emma start [--roles api,engine]   run EMMA, or only some of its roles on this machine
  emma migrate                      bring the database up to date
  emma user create --username NAME --email ADDRESS [--password-stdin] [--superadmin | --demo]
  emma user reset --username NAME [--second-factor]
                                    print a link by which the user chooses a new password; remove the second factor
  emma doctor                       say what is wrong with this installation
  emma openapi                      print the API's description (OpenAPI 3.1)
  emma --help, --version

Roles: api (console and API), tracking, engine (sending), inbound, jobs, testbed.

Environment (the README names the rest):
  PORT                  of console and API (8080)
  EMMA_DATA             folder for everything kept on disk (./data)
  DATABASE_URL          a PostgreSQL (15 or newer) of your own instead of the embedded one
  EMMA_ADMIN_PASSWORD   of the account "admin" on the first start (made up and printed on a terminal when not set)
  EMMA_USER_PASSWORD    of the account that "emma user create" makes (made up and printed when not set)
  EMMA_PUBLIC_URL       where people reach the console (http://localhost:PORT)
  EMMA_TRACKING_URL     where links in mails point to (http://localhost:TRACKING_PORT)
  EMMA_SECRET           the installation's secret, the same on all machines (EMMA_DATA/secret.key)
  EMMA_TRACKING_PORT, EMMA_INBOUND_PORT, EMMA_TESTBED_SMTP_PORT, EMMA_TESTBED_DNS_PORT, EMMA_DATABASE_PORT,
  EMMA_SUBMISSION_PORT  (PORT + 1 … PORT + 6)
  EMMA_S3_ENDPOINT, EMMA_S3_BUCKET, EMMA_S3_REGION, EMMA_S3_ACCESS_KEY_ID, EMMA_S3_SECRET_ACCESS_KEY
                        bucket for files instead of the data folder (none; us-east-1)
  EMMA_RELAYS           private relays that mail classes may send over: 10.0.0.5, relay.internal:2526 (none)
  EMMA_WEBHOOK_LOOPBACK true lets webhooks call this machine itself, for development (false)
  EMMA_CONSOLE          folder of another build of the console (apps/console/dist)
  LOG_LEVEL             fatal, error, warn, info, debug, trace (info)`

// Files are private to this user, whatever umask the shell has.
process.umask(0o077)

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(describeFailure(error))
  process.exitCode = 1
}

/** Commands import their modules when they run, so that `--help` always works. */
async function run(args: string[]): Promise<void> {
  const { values, positionals } = parse(args)
  const command = positionals.join(' ')
  if (values.version) return console.log(readVersion())
  if (values.help || command === '' || command === 'help') return console.log(help)
  if (command === 'start') return (await import('./start.ts')).start(values.roles)
  if (command === 'migrate') return (await import('./migrate.ts')).migrate()
  if (command === 'user create') return (await import('./create-user.ts')).createUser(values)
  if (command === 'user reset') return (await import('./reset-user.ts')).resetUser(values)
  if (command === 'doctor') return (await import('./doctor.ts')).doctor()
  if (command === 'openapi')
    return console.log(
      JSON.stringify((await import('../http/openapi/build-openapi.ts')).buildOpenapi(readVersion()), null, 2),
    )
  throw new CommandError(`There is no command "${command}".\n\n${help}`)
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        roles: { type: 'string' },
        username: { type: 'string' },
        email: { type: 'string' },
        'password-stdin': { type: 'boolean' },
        superadmin: { type: 'boolean' },
        'second-factor': { type: 'boolean' },
        demo: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  }
}

function readVersion(): string {
  const file = new URL('../../../../package.json', import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}
