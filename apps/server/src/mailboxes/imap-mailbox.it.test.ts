import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { MailboxServer } from '@emma/core/deliverability/placement/awaited-mails.ts'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import { type Dovecot, hasDovecot, startDovecot } from '@emma/testbed/test/dovecot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAILBOX_LIMITS } from '../network/limits.ts'
import { openImapMailbox } from './imap-mailbox.ts'
import { MailboxFault } from './mailbox.ts'

const password = 'correct horse'
const rules = { isAllowed: () => true, ca: TEST_CERTIFICATE.cert }
const token = 'a'.repeat(32)

function message(of: string): string {
  return `Received: from mx.sender.test (mx.sender.test [203.0.113.7]) by imap.test; Fri, 27 Nov 2026 03:00:00 +0000
Authentication-Results: imap.test; spf=pass; dkim=pass; dmarc=pass
X-EMMA-IPCI: ${of}
From: news@sender.test
Subject: Hello

Text
`.replaceAll('\n', '\r\n')
}

function serverOf(port: number, changes: Partial<MailboxServer> = {}): MailboxServer {
  return {
    protocol: 'imap',
    host: 'localhost',
    port,
    tls: 'tls',
    inbox_folder: null,
    spam_folder: null,
    promo_folder: null,
    auth: 'password',
    token_url: null,
    oauth_client_id: null,
    oauth_client_secret: null,
    oauth_scope: null,
    ...changes,
  }
}

async function faultOf(opening: Promise<unknown>) {
  const error = await opening.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof MailboxFault ? error.fault : error
}

describe.skipIf(!hasDovecot)('a mailbox of dovecot', () => {
  let dovecot: Dovecot
  beforeAll(async () => {
    dovecot = await startDovecot({ 'seed@imap.test': password, 'other@imap.test': password })
  })
  afterAll(() => dovecot?.stop())

  const open = (changes: Partial<MailboxServer> = {}, user = 'seed@imap.test', pass = password) =>
    openImapMailbox({ server: serverOf(dovecot.ports.tls, changes), user, secret: { password: pass } }, rules)

  it('lists folders and finds those by their use, with TLS and with STARTTLS', async () => {
    for (const changes of [{}, { tls: 'starttls', port: dovecot.ports.starttls }] as const) {
      const mailbox = await open(changes)
      const { names, found } = await mailbox.listFolders()
      await mailbox.close()
      expect(names.toSorted()).toEqual(['INBOX', 'Junk', 'Promotions', 'Sent'])
      expect(found).toEqual({ inbox: 'INBOX', spam: 'Junk', promotions: null })
    }
  })

  it.each([
    ['INBOX', 'inbox'],
    ['Junk', 'spam'],
    ['Promotions', 'promotions'],
    ['Archive', 'other'],
  ])('finds a mail in %s', async (folder, placement) => {
    const own = `${token}${folder}`
    dovecot.deliver('seed@imap.test', folder, message(own))
    const mailbox = await open({ promo_folder: 'promotions' })
    const found = await mailbox.find([own, `${token}unknown`])
    await mailbox.close()
    expect([...found.keys()]).toEqual([own])
    expect(found.get(own)).toMatchObject({ folder, placement, arrivedAt: expect.any(Date) })
    expect(found.get(own)?.source.toString()).toBe(message(own))
  })

  it('reads a part of a large mail', async () => {
    const own = `${token}large`
    dovecot.deliver('other@imap.test', 'INBOX', message(own) + 'x'.repeat(3 * MAILBOX_LIMITS.messageBytes))
    const mailbox = await open({}, 'other@imap.test')
    const found = await mailbox.find([own])
    await mailbox.close()
    expect(found.get(own)?.source.length).toBe(MAILBOX_LIMITS.messageBytes)
  })

  it('says that the login is rejected, without the password', async () => {
    const fault = await faultOf(open({}, 'seed@imap.test', 'wrong-password'))
    expect(fault).toMatchObject({ code: 'imap.login', values: { host: 'localhost' } })
    expect(JSON.stringify(fault)).not.toContain('wrong-password')
  })

  it('says that a folder of the settings is missing', async () => {
    const mailbox = await open({ spam_folder: 'Spam' })
    expect(await faultOf(mailbox.listFolders())).toMatchObject({
      code: 'imap.folder',
      values: { folder: 'Spam' },
    })
    await mailbox.close()
  })

  it('does not trust an unknown certificate', async () => {
    const login = { server: serverOf(dovecot.ports.tls), user: 'seed@imap.test', secret: { password } }
    expect(await faultOf(openImapMailbox(login, { isAllowed: () => true }))).toMatchObject({
      code: 'imap.tls',
    })
  })

  it('does not connect to a private address unless it is allowed', async () => {
    const login = { server: serverOf(dovecot.ports.tls), user: 'seed@imap.test', secret: { password } }
    expect(await faultOf(openImapMailbox(login, { ...rules, isAllowed: () => false }))).toMatchObject({
      code: 'imap.private',
    })
  })
})

describe('a hostile server', () => {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  })

  async function listening(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer(socket => {
      sockets.add(socket.on('error', () => {}))
      onConnection(socket)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  const open = (port: number) => {
    const server = serverOf(port, { tls: 'starttls', host: '127.0.0.1' })
    return openImapMailbox({ server, user: 'seed', secret: { password } }, rules)
  }

  it('that offers no TLS gets no password', async () => {
    let heard = ''
    const port = await listening(socket => {
      socket.write('* OK [CAPABILITY IMAP4rev1 LOGIN] hello\r\n')
      socket.on('data', bytes => {
        heard += String(bytes)
        const tag = String(bytes).split(' ')[0]
        socket.write(`* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${tag} OK done\r\n`)
      })
    })
    expect(await faultOf(open(port))).toMatchObject({ code: expect.stringMatching(/^imap\./) })
    expect(heard).not.toContain(password)
  })

  it('that never ends its line is cut off', async () => {
    const port = await listening(socket => {
      const write = () => {
        if (socket.destroyed) return
        socket.write('x'.repeat(65_536), write)
      }
      write()
    })
    expect(await faultOf(open(port))).toMatchObject({ code: expect.stringMatching(/^imap\./) })
  })

  it('that is not there is named', async () => {
    const port = await listening(() => {})
    const server = servers.at(-1)
    server?.close()
    expect(await faultOf(open(port))).toMatchObject({ code: 'imap.unreachable' })
  })
})
