import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import { findDebianProgram } from './debian.ts'
import { freePort } from './free-port.ts'
import { withUsers, writeUsers } from './system-users.ts'

const program = process.getuid?.() === 0 ? findDebianProgram('dovecot-imapd', '/usr/sbin/dovecot') : null

/** True if dovecot is available, and this is root: it switches users. */
export const hasDovecot = program !== null

/** A running IMAP server on loopback, with the test certificate (for `localhost`). */
export interface Dovecot {
  /** Ports with STARTTLS, and with TLS from the first byte. */
  ports: { starttls: number; tls: number }
  /** Puts a message into a folder of a user's mailbox: INBOX, Junk, Promotions or Archive. */
  deliver(user: string, folder: string, message: Buffer | string): void
  stop(): Promise<void>
}

/**
 * Starts dovecot with the given users; the caller stops it.
 * @param users password by user name
 */
export async function startDovecot(users: Readonly<Record<string, string>>): Promise<Dovecot> {
  if (program === null) throw new Error('There is no dovecot.')
  const folder = mkdtempSync(join(tmpdir(), 'emma-dovecot-'))
  chmodSync(folder, 0o755)
  const ports = { starttls: await freePort(), tls: await freePort() }
  const logins = Object.entries(users).map(([name, password]) => `${name}:{PLAIN}${password}\n`)
  writeFileSync(join(folder, 'users'), logins.join(''))
  writeFileSync(join(folder, 'cert.pem'), TEST_CERTIFICATE.cert)
  writeFileSync(join(folder, 'key.pem'), TEST_CERTIFICATE.key, { mode: 0o600 })
  writeFileSync(join(folder, 'dovecot.conf'), configuration(folder, ports))
  mkdirSync(join(folder, 'mail'), { mode: 0o777 })
  chmodSync(join(folder, 'mail'), 0o777)
  writeUsers(folder, { dovecot: 65_529, dovenull: 65_528 }, { dovecot: 65_529, dovenull: 65_528 })
  const [command, args] = program(['-F', '-c', join(folder, 'dovecot.conf')], withUsers(folder))
  const child = spawn(command, args, { stdio: 'ignore' })
  await untilGreeted(ports.starttls, () => logOf(folder))
  let delivered = 0
  return {
    ports,
    deliver(user, mailbox, message) {
      const home = join(folder, 'mail', user)
      const maildir = mailbox === 'INBOX' ? home : join(home, `.${mailbox}`)
      // For the user that dovecot reads mailboxes as.
      for (const path of [home, maildir, ...['new', 'cur', 'tmp'].map(each => join(maildir, each))]) {
        if (existsSync(path)) continue
        mkdirSync(path)
        chmodSync(path, 0o777)
      }
      const name = `${Date.now()}.${delivered++}.test`
      writeFileSync(join(maildir, 'tmp', name), message, { mode: 0o666 })
      renameSync(join(maildir, 'tmp', name), join(maildir, 'new', name))
    },
    async stop() {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, ports: Dovecot['ports']): string {
  return `protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
auth_mechanisms = plain login
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=65534 gid=65534 home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Junk {
    auto = create
    special_use = \\Junk
  }
  mailbox Promotions {
    auto = create
  }
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.starttls}
  }
  inet_listener imaps {
    port = ${ports.tls}
    ssl = yes
  }
}
`
}

async function untilGreeted(port: number, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const greeting = await Promise.race([
      once(socket, 'data').then(String),
      once(socket, 'close').then(() => ''),
    ]).catch(() => '')
    socket.destroy()
    if (greeting.startsWith('* OK')) return
    await sleep(100)
  }
  throw new Error(`dovecot does not answer: ${log()}`)
}

function logOf(folder: string): string {
  const file = join(folder, 'log')
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-2000) : 'no log'
}
