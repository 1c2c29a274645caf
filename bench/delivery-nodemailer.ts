import { createTransport } from 'nodemailer'
import { benchMail, filledMail } from './delivery-mail.ts'

/**
 * nodemailer process of `bench/delivery.ts`: sends `mails` signed messages of `size` bytes to `port` over a connection
 * pool, and reports the seconds.
 */
interface Order {
  port: number
  mails: number
  size: number
  privateKey: string
}

process.once('message', (order: Order) => void send(order))

async function send({ port, mails, size, privateKey }: Order): Promise<void> {
  const transport = createTransport({
    pool: true,
    maxConnections: 10,
    maxMessages: Number.POSITIVE_INFINITY,
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    dkim: { domainName: 'sender.test', keySelector: 's-rsa', privateKey },
  })
  const mail = benchMail(size)
  // Placeholders are filled in before the measurement: only building, signing and sending are compared.
  const filled = Array.from({ length: 100 }, (_, member) => filledMail(mail, member))
  const start = performance.now()
  let next = 0
  const sender = async () => {
    while (next < mails) {
      const member = next++
      await transport.sendMail({
        from: 'Shop <news@sender.test>',
        to: `member${member}@example.com`,
        headers: {
          'List-Unsubscribe': `<https://shop.example/u/${member}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
        ...filled[member % filled.length],
      })
    }
  }
  await Promise.all(Array.from({ length: 20 }, sender))
  const seconds = (performance.now() - start) / 1000
  transport.close()
  const cpu = process.cpuUsage()
  process.send?.({ seconds, cpuMicros: cpu.user + cpu.system })
  process.disconnect()
}
