import type { AddressInfo } from 'node:net'
import { saveSettingWithSecret } from '@emma/core/platform/system-settings.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import type { Db } from '@emma/db/connection.ts'
import { SMTPServer } from 'smtp-server'

/** A mail server for system email in tests. */
export interface SystemMailServer {
  received: { to: string; text: string }[]
  port: number
  /** Enables system email over this server. */
  use(db: Db): Promise<void>
  close(): Promise<void>
}

export async function startSystemMailServer(): Promise<SystemMailServer> {
  const received: SystemMailServer['received'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope }, done) {
      const source = (await stream.toArray()).join('')
      // Decodes quoted-printable (RFC 2045, 6.7), as far as links need it.
      const text = source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
      received.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text })
      done()
    },
  })
  const port = await new Promise<number>(resolve => {
    const listener = server.listen(0, '127.0.0.1', () => resolve((listener.address() as AddressInfo).port))
  })
  return {
    received,
    port,
    use: db =>
      saveSettingWithSecret(
        db,
        systemActor(0),
        'mail',
        {
          is_enabled: true,
          from: 'emma@company.test',
          host: '127.0.0.1',
          port,
          tls: 'none',
          username: null,
        },
        { key: Buffer.alloc(32), field: 'password', text: null },
      ),
    close: () => new Promise<void>(resolve => server.close(resolve)),
  }
}
