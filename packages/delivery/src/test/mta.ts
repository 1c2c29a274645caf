import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import { type CommandLine, findDebianProgram } from '@emma/testbed/test/debian.ts'
import { freePort } from '@emma/testbed/test/free-port.ts'
import { withUsers, writeUsers } from '@emma/testbed/test/system-users.ts'

/**
 * Debian's mail servers as next hops: on loopback ports, with configuration and queue in a folder of the test. They
 * accept mail for real.test, reject nobody@real.test, and queue what they accept, where the test reads it.
 */
export interface Mta {
  /** Null if the program is not available, or without root: they switch users. */
  start: ((folder: string, port: number) => ChildProcess) | null
  /** Queued messages, with the server's own fields. */
  queued: (folder: string) => Buffer[]
  /** Returns the pid file of a server that is not the child process itself. */
  pidFile?: (folder: string) => string
  /** Supports recipients outside ASCII. */
  hasUtf8: boolean
  /** Offers TLS with the test certificate, and BDAT. */
  hasTls: boolean
}

export const POSTFIX: Mta = postfix({ hasUtf8: true })

/** A common configuration: without SMTPUTF8. */
export const ASCII_POSTFIX: Mta = postfix({ hasUtf8: false })

function postfix({ hasUtf8 }: { hasUtf8: boolean }): Mta {
  return {
    hasUtf8,
    hasTls: true,
    start: withProgram('postfix', '/usr/sbin/postfix', (commandLine, folder, port) => {
      writeFileSync(
        join(folder, 'main.cf'),
        `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = postfix.test
mydestination =
relay_domains = real.test
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access inline:{ {nobody@real.test = 550 5.1.1 No such user} }
smtpd_data_restrictions = check_client_access static:HOLD
inet_interfaces = 127.0.0.1
smtputf8_enable = ${hasUtf8 ? 'yes' : 'no'}
smtpd_tls_security_level = may
smtpd_tls_cert_file = ${folder}/cert.pem
smtpd_tls_key_file = ${folder}/key.pem
`,
      )
      const services = [
        `127.0.0.1:${port} inet n - n - - smtpd`,
        'cleanup unix n - n - 0 cleanup',
        'qmgr unix n - n 300 1 qmgr',
        'rewrite unix - - n - - trivial-rewrite',
        'proxymap unix - - n - - proxymap',
        'anvil unix - - n - 1 anvil',
        'tlsmgr unix - - n 1000? 1 tlsmgr',
        'postlog unix-dgram n - n - 1 postlogd',
      ]
      writeFileSync(join(folder, 'master.cf'), `${services.join('\n')}\n`)
      mkdirSync(join(folder, 'queue'))
      mkdirSync(join(folder, 'data'))
      writeUsers(folder, { postfix: 65_533 }, { postfix: 65_533, postdrop: 65_532 })
      // The command runs until the master exits.
      return commandLine(['-c', folder, 'start-fg'], `${withUsers(folder)}\nchown postfix '${folder}/data'`)
    }),
    pidFile: folder => join(folder, 'queue', 'pid', 'master.pid'),
    queued: folder =>
      globSync(join(folder, 'queue', 'hold', '*')).map(file => {
        const program = findDebianProgram('postfix', '/usr/sbin/postcat')
        if (program === null) throw new Error('There is no postcat.')
        return withCrlf(execFileSync(...program(['-c', folder, '-bh', file], withUsers(folder))))
      }),
  }
}

export const EXIM: Mta = {
  hasUtf8: true,
  hasTls: true,
  start: withProgram('exim4-daemon-light', '/usr/sbin/exim4', (commandLine, folder, port) => {
    const file = join(folder, 'exim.conf')
    writeFileSync(
      file,
      `primary_hostname = exim.test
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/exim.pid
exim_user = nobody
exim_group = nogroup
local_interfaces = 127.0.0.1
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
chunking_advertise_hosts = *
queue_only
acl_smtp_rcpt = acl_rcpt
begin acl
acl_rcpt:
  deny local_parts = nobody
    message = 5.1.1 No such user here
  accept
begin routers
begin transports
`,
    )
    chmodSync(file, 0o644)
    writeUsers(folder, { 'Debian-exim': 65_534 }, { 'Debian-exim': 65_534 })
    const owners = `chown -R nobody:nogroup '${folder}' && chown root:root '${file}'`
    return commandLine(['-C', file, '-bdf', '-oX', String(port)], `${withUsers(folder)}\n${owners}`)
  }),
  queued: folder =>
    globSync(join(folder, 'spool', 'input', '*-D')).map(file => {
      const envelope = readFileSync(file.replace(/-D$/, '-H'), 'latin1')
      const body = readFileSync(file, 'latin1')
      const text = `${eximHeader(envelope)}\n${body.slice(body.indexOf('\n') + 1)}`
      return withCrlf(Buffer.from(text, 'latin1'))
    }),
}

export const OPENSMTPD: Mta = {
  hasUtf8: false,
  // Version 6.8.0 of Debian 12 fails every handshake: “SSL routines::EVP lib”.
  hasTls: false,
  start: withProgram('opensmtpd', '/usr/sbin/smtpd', (commandLine, folder, port) => {
    const file = join(folder, 'smtpd.conf')
    writeFileSync(
      file,
      `listen on 127.0.0.1 port ${port} hostname opensmtpd.test
action "keep" relay host "smtp://127.0.0.1:1"
match from any for rcpt-to "nobody@real.test" reject
match from any for domain "real.test" action "keep"
`,
    )
    mkdirSync(join(folder, 'spool'))
    chmodSync(join(folder, 'spool'), 0o711)
    const both = { opensmtpd: 65_531, opensmtpq: 65_530 }
    // Its paths are fixed: a mount namespace maps them to the test's folder.
    const places = `mount -t tmpfs none /run
mount -t tmpfs none /var/lib && mkdir -p /var/lib/opensmtpd/empty
mount -t tmpfs none /var/spool && mkdir /var/spool/smtpd
mount --bind '${folder}/spool' /var/spool/smtpd`
    writeUsers(folder, both, both)
    return commandLine(['-d', '-f', file], `${withUsers(folder)}\n${places}`)
  }),
  queued: folder =>
    globSync(join(folder, 'spool', 'queue', '*', '*', 'message')).map(file => withCrlf(readFileSync(file))),
}

/** A running server. */
export interface RunningMta {
  port: number
  /** Returns the messages in its queue. */
  queue(): Buffer[]
  stop(): Promise<void>
}

/** Starts a server; the caller stops it. */
export async function startMta(mta: Mta): Promise<RunningMta> {
  if (mta.start === null) throw new Error('The mail server is not here.')
  const folder = mkdtempSync(join(tmpdir(), 'emma-mta-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'cert.pem'), TEST_CERTIFICATE.cert)
  writeFileSync(join(folder, 'key.pem'), TEST_CERTIFICATE.key, { mode: 0o600 })
  const port = await freePort()
  const child = mta.start(folder, port)
  await untilGreeted(port)
  return {
    port,
    queue: () => mta.queued(folder),
    async stop() {
      if (mta.pidFile) process.kill(Number(readFileSync(mta.pidFile(folder), 'utf8')))
      else child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function withProgram(
  name: string,
  program: string,
  prepare: (
    commandLine: (args: readonly string[], setup: string) => CommandLine,
    folder: string,
    port: number,
  ) => CommandLine,
): Mta['start'] {
  const commandLine = process.getuid?.() === 0 ? findDebianProgram(name, program) : null
  if (commandLine === null) return null
  return (folder, port) => spawn(...prepare(commandLine, folder, port), { stdio: 'ignore' })
}

/** Decodes exim's header format: each field with its length, `123F From: …`; `*` marks a removed field. */
function eximHeader(envelope: string): string {
  let header = ''
  let rest = envelope.slice(envelope.indexOf('\n\n') + 2)
  for (;;) {
    const [prefix = '', length = '', flag = ''] = /^(\d{3,})(.) /s.exec(rest) ?? []
    if (prefix === '') return header
    const field = rest.slice(prefix.length, prefix.length + Number(length))
    if (flag !== '*') header += field
    rest = rest.slice(prefix.length + Number(length))
  }
}

function withCrlf(mail: Buffer): Buffer {
  return Buffer.from(mail.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1')
}

async function untilGreeted(port: number): Promise<void> {
  const giveUp = Date.now() + 60_000
  while (Date.now() < giveUp) {
    const socket = connect(port, '127.0.0.1')
    const isGreeted = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isGreeted) return
    await sleep(50)
  }
  throw new Error('The mail server did not start.')
}
