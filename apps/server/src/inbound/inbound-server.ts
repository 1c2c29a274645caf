import { once } from 'node:events'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { Logger } from '../logger.ts'
import { type Inbox, recordInbound } from './record-inbound.ts'

/** A report quotes a mail; nobody needs more to say why it came back. */
const mostBytes = 5 * 1024 * 1024

/**
 * Takes returned mail: only for return path hosts of the domains, and there for signed return paths and `fbl@`. Anything
 * else is refused at RCPT, so this is no relay and no mailbox. A mail is accepted when it is in the log.
 */
export async function startInboundServer(
  inbox: Inbox,
  port: number,
  logger: Logger,
): Promise<{ port: number; stop(): Promise<void> }> {
  async function store(
    stream: SMTPServerDataStream,
    recipients: { address: string }[],
  ): Promise<Error | null> {
    const source = await take(stream)
    if (source === null) return refusal(552, '5.3.4 Message too big')
    for (const { address } of recipients) {
      const kind = await recordInbound(inbox, address, source)
      logger.debug({ kind }, 'a mail came back')
    }
    return null
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    // Nobody reads the name, and where the DNS does not answer every connection would wait for it.
    disableReverseLookup: true,
    size: mostBytes,
    maxClients: 200,
    socketTimeout: 60_000,
    banner: 'EMMA returned mail',
    onRcptTo({ address }, _session, done) {
      isOurs(inbox.sql, address).then(
        ours => done(ours ? null : refusal(550, '5.1.1 No such address here')),
        () => done(refusal(451, '4.3.0 Try again later')),
      )
    },
    onData(stream, session, done) {
      store(stream, session.envelope.rcptTo).then(
        refused => done(refused),
        (error: unknown) => {
          logger.error({ err: error }, 'a returned mail could not be recorded')
          done(refusal(451, '4.3.0 Try again later'))
        },
      )
    },
  })
  server.on('error', error => logger.debug({ err: error }, 'a connection for returned mail broke'))
  const listening = server.listen(port, '0.0.0.0')
  if (!listening.listening) await once(listening, 'listening')
  const address = listening.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}

async function isOurs(sql: Sql, address: string): Promise<boolean> {
  const [local = '', host = ''] = address.toLowerCase().split('@')
  if (!/^[bu]-[a-z2-7]{40}$|^fbl$|^postmaster$|^abuse$/.test(local)) return false
  const found = await raw`
    select from domain
    where (coalesce(return_path_host, 'bounce.' || name) = ${host} or name = ${host}) and deleted_at is null
    limit 1`.execute(sql)
  return found.rows.length > 0
}

async function take(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return stream.sizeExceeded ? null : Buffer.concat(chunks)
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
