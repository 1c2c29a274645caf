import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import type { Dovecot } from './dovecot.ts'

/** An SMTP server that puts mail into mailboxes, as a provider's server does. */
export interface MailHost {
  port: number
  stop(): Promise<void>
}

/**
 * Starts an SMTP server in front of dovecot; the caller stops it. It notes that SPF, DKIM and DMARC pass.
 * @param folderOf the folder for a recipient, whose address is the user name
 */
export async function startMailHost(
  dovecot: Dovecot,
  folderOf: (recipient: string) => string,
): Promise<MailHost> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const trace =
          `Received: from ${session.hostNameAppearsAs} (sender.test [203.0.113.7]) by mx.imap.test;
 ${new Date().toUTCString()}
Authentication-Results: mx.imap.test; spf=pass; dkim=pass; dmarc=pass
`.replaceAll('\n', '\r\n')
        for (const { address } of session.envelope.rcptTo)
          dovecot.deliver(address, folderOf(address), Buffer.concat([Buffer.from(trace), ...chunks]))
        done()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}
