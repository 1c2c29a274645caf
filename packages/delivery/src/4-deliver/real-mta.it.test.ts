import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTransport } from './transport.ts'

/**
 * Debian's mail servers as next hops: on loopback ports, with configuration and queue in a folder of the test's own. What
 * they take they keep in the queue, where the test looks. EMMA_EXIM names an exim4 that is not installed; servers that
 * are not there are skipped.
 */
interface Mta {
  program: string
  start(folder: string, port: number): ChildProcess
  /** Everything in the queue. */
  queued(folder: string): string[]
  stop(folder: string, child: ChildProcess): Promise<void>
}

const POSTFIX: Mta = {
  program: '/usr/sbin/postfix',
  start(folder, port) {
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
`,
    )
    const services = [
      `127.0.0.1:${port} inet n - n - - smtpd`,
      'cleanup unix n - n - 0 cleanup',
      'qmgr unix n - n 300 1 qmgr',
      'rewrite unix - - n - - trivial-rewrite',
      'proxymap unix - - n - - proxymap',
      'anvil unix - - n - 1 anvil',
      'postlog unix-dgram n - n - 1 postlogd',
    ]
    writeFileSync(join(folder, 'master.cf'), `${services.join('\n')}\n`)
    mkdirSync(join(folder, 'queue'))
    mkdirSync(join(folder, 'data'))
    execFileSync('chown', ['postfix', join(folder, 'data')])
    // The master stays in front, so that it ends with the test.
    return spawn(POSTFIX.program, ['-c', folder, 'start-fg'], { stdio: 'ignore' })
  },
  queued(folder) {
    return filesIn(join(folder, 'queue', 'hold')).map(file =>
      execFileSync('postcat', ['-c', folder, file], { encoding: 'latin1' }),
    )
  },
  async stop(folder, child) {
    execFileSync(POSTFIX.program, ['-c', folder, 'stop'], { stdio: 'ignore' })
    if (child.exitCode === null) await once(child, 'exit')
  },
}

const EXIM: Mta = {
  program: process.env.EMMA_EXIM ?? '/usr/sbin/exim4',
  start(folder, port) {
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
tls_advertise_hosts =
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
    execFileSync('chown', ['-R', 'nobody:nogroup', folder])
    execFileSync('chown', ['root:root', file])
    // Debian's exim wants a user of its own: where it is not installed, one that only it sees.
    for (const [name, entry] of [
      ['passwd', 'Debian-exim:x:65534:65534::/:/bin/false'],
      ['group', 'Debian-exim:x:65534:'],
    ] as const) {
      const known = readFileSync(`/etc/${name}`, 'utf8')
      writeFileSync(join(folder, name), known.includes('\nDebian-exim:') ? known : `${known}${entry}\n`)
    }
    const command =
      'mount --bind "$1/passwd" /etc/passwd && mount --bind "$1/group" /etc/group && exec "$2" -C "$1/exim.conf" -bdf -oX "$3"'
    const args = ['--mount', 'sh', '-c', command, 'sh', folder, EXIM.program, String(port)]
    return spawn('unshare', args, { stdio: 'ignore' })
  },
  queued: folder =>
    filesIn(join(folder, 'spool', 'input'))
      .filter(file => file.endsWith('-D'))
      .map(file => readFileSync(file.replace(/-D$/, '-H'), 'latin1') + readFileSync(file, 'latin1')),
  async stop(_folder, child) {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  },
}

describe.each([
  ['postfix', POSTFIX],
  ['exim4', EXIM],
])('%s as the next hop', (_name, mta) => {
  const isMissing = !existsSync(mta.program) || process.getuid?.() !== 0

  it.skipIf(isMissing)(
    'takes mails over pipelined connections byte for byte, and its refusals are understood',
    async () => {
      const { folder, port } = await start(mta)
      const transport = openTransport(
        { transport: 'smtp', connections: 2, host: '127.0.0.1', port, tls: 'none', auth: null },
        { testbed: { host: '127.0.0.1', port: 1 }, realDelivery: false, helo: 'engine.test' },
      )
      onTestFinished(() => transport.close())
      const send = (to: string, text: string) =>
        transport.send({ from: 'b-1@bounce.sender.test', to }, [
          Buffer.from(
            `From: a@sender.test\r\nTo: ${to}\r\nSubject: ${text}\r\nMessage-ID: <${text}@sender.test>\r\n\r\n..${text}\r\n`,
          ),
        ])
      const outcomes = await Promise.all([
        ...Array.from({ length: 20 }, (_, index) => send(`p${index}@real.test`, `mail-${index}-end`)),
        send('nobody@real.test', 'mail-nobody-end'),
      ])
      expect(outcomes.slice(0, 20).map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'sent'))
      expect(outcomes[20]).toMatchObject({
        kind: 'rejected',
        reply: { code: 550, enhanced: '5.1.1', class: 'bad-mailbox', hard: true },
      })
      const queued = mta.queued(folder)
      expect(queued).toHaveLength(20)
      // The dot that was doubled on the way is single again.
      for (let index = 0; index < 20; index++)
        expect(queued.filter(mail => mail.includes(`\n.mail-${index}-end`))).toHaveLength(1)
    },
    60_000,
  )
})

async function start(mta: Mta): Promise<{ folder: string; port: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-mta-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const child = mta.start(folder, port)
  onTestFinished(async () => {
    await mta.stop(folder, child)
    rmSync(folder, { recursive: true, force: true })
  })
  await untilGreeted(port)
  return { folder, port }
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
}

async function untilGreeted(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
