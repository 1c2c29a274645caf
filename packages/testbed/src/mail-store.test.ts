import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemMailHeader } from '@emma/mail/system-mail.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NOT_SAMPLED } from './authenticate-mail.ts'
import { createGroupCommit } from './group-commit.ts'
import { createMailStore, type MailStore, type ReceivedMail, type StoreBounds } from './mail-store.ts'
import { MailStoreError, mailStorePath, openMailStoreFile } from './mail-store-file.ts'
import { openMailboxes } from './mailboxes.ts'
import { summariseMessage } from './message-summary.ts'
import { testFolder } from './test/servers.ts'

const WIDE: StoreBounds = { messages: 1000, bytes: 1024 * 1024, logRows: 1000 }

function openStore(folder: string, bounds: Partial<StoreBounds> = {}): MailStore {
  const store = createMailStore(openMailStoreFile(folder), { ...WIDE, ...bounds }, () => 1_000_000)
  onTestFinished(() => store.close())
  return store
}

function mail(subject: string, recipients: string[], body = ''): ReceivedMail {
  const raw = Buffer.from(`Subject: ${subject}\r\n\r\n${body}`)
  return {
    raw,
    sender: 'b@sender.test',
    summary: summariseMessage(raw),
    verdict: NOT_SAMPLED,
    outcome: 'accepted',
    recipients: recipients.map(address => ({
      address,
      provider: 'Gmail',
      behaviour: 'accept',
      folder: 'inbox',
    })),
  }
}

function random(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(3000))).toString('hex')
}

function mailboxesOf(folder: string) {
  const mailboxes = openMailboxes(folder)
  onTestFinished(() => mailboxes.close())
  return mailboxes
}

describe('createMailStore', () => {
  it('stores no more messages than its limit, and evicts the oldest', async () => {
    const folder = testFolder()
    const store = openStore(folder, { messages: 10 })
    for (let index = 0; index < 25; index++) await store.accept(mail(`s${index}`, [`a${index}@gmail.test`]))
    const { rows, total } = mailboxesOf(folder).listMessages()
    expect(total).toBe(10)
    expect(rows.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 10 }, (_, index) => `s${24 - index}`),
    )
    expect(store.db.prepare('SELECT count(*) AS n FROM sources').get()).toEqual({ n: 10 })
  })

  it('stores no more octets than its limit, but always the newest message', async () => {
    const folder = testFolder()
    const store = openStore(folder, { bytes: 10_000 })
    for (let index = 0; index < 12; index++) await store.accept(mail(`s${index}`, ['a@gmail.test'], random()))
    const few = mailboxesOf(folder).listMessages().total
    expect(few).toBeGreaterThanOrEqual(2)
    expect(few).toBeLessThanOrEqual(3)
    await store.accept(mail('huge', ['a@gmail.test'], random().repeat(20)))
    await store.accept(mail('random', ['a@gmail.test'], Array.from({ length: 8 }, random).join('')))
    expect(
      mailboxesOf(folder)
        .listMessages()
        .rows.map(({ subject }) => subject),
    ).toEqual(['random'])
  })

  it('evicts a message with all its recipients', async () => {
    const folder = testFolder()
    const store = openStore(folder, { messages: 3 })
    await store.accept(mail('many', ['a@gmail.test', 'b@gmail.test', 'c@gmail.test']))
    await store.accept(mail('one', ['d@gmail.test']))
    expect(
      mailboxesOf(folder)
        .listMessages()
        .rows.map(({ subject }) => subject),
    ).toEqual(['one'])
  })

  it('keeps the log longer than the messages, within its own limit', async () => {
    const folder = testFolder()
    const store = openStore(folder, { messages: 2, logRows: 20 })
    for (let index = 0; index < 30; index++) await store.accept(mail('s', [`a${index}@gmail.test`]))
    const log = [...mailboxesOf(folder).readLog()]
    expect(log.map(({ recipient }) => recipient)).toEqual(
      Array.from({ length: 20 }, (_, index) => `a${index + 10}@gmail.test`),
    )
    expect(mailboxesOf(folder).counts()).toMatchObject({
      messages: 2,
      outcomes: [{ provider: 'Gmail', outcome: 'accepted', count: 30 }],
    })
  })

  it('continues its counts after a restart', async () => {
    const folder = testFolder()
    const first = createMailStore(openMailStoreFile(folder), { ...WIDE, messages: 5 }, Date.now)
    for (let index = 0; index < 5; index++) await first.accept(mail(`s${index}`, ['a@gmail.test']))
    first.close()
    const second = openStore(folder, { messages: 5 })
    await second.accept(mail('new', ['a@gmail.test']))
    expect(mailboxesOf(folder).listMessages().total).toBe(5)
  })

  it('continues after another process has emptied the mailboxes', async () => {
    const folder = testFolder()
    const store = openStore(folder, { messages: 3 })
    for (let index = 0; index < 3; index++) await store.accept(mail(`s${index}`, ['a@gmail.test']))
    const mailboxes = mailboxesOf(folder)
    mailboxes.clear()
    expect(mailboxes.listMessages().total).toBe(0)
    for (let index = 3; index < 6; index++) await store.accept(mail(`s${index}`, ['a@gmail.test']))
    expect(mailboxes.listMessages().rows.map(({ subject }) => subject)).toEqual(['s5', 's4', 's3'])
    expect([...mailboxes.readLog()]).toHaveLength(6)
  })

  it('explains what to do with a file that is not a store', () => {
    const folder = testFolder()
    writeFileSync(mailStorePath(folder), 'x'.repeat(10_000))
    expect(() => openMailStoreFile(folder)).toThrow(MailStoreError)
    expect(() => openMailStoreFile(folder)).toThrow(/Move the file away/)
  })

  it('does not change a store of another version', () => {
    const folder = testFolder()
    const db = new DatabaseSync(mailStorePath(folder))
    db.exec('PRAGMA user_version = 99')
    db.close()
    expect(() => openMailStoreFile(folder)).toThrow(/another version of EMMA/)
    expect(mailboxesOf(folder).listMessages()).toEqual({ total: 0, rows: [] })
  })
})

function counter() {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)')
  let rollbacks = 0
  const commits = createGroupCommit(db, { beforeCommit: () => {}, afterRollback: () => rollbacks++ })
  const insert = db.prepare('INSERT INTO t VALUES (?)')
  const numbers = () =>
    db
      .prepare('SELECT n FROM t ORDER BY n')
      .all()
      .map(({ n }) => n)
  return {
    commits,
    add: (n: number) => commits.run(() => insert.run(n).changes),
    numbers,
    rollbacks: () => rollbacks,
  }
}

describe('createGroupCommit', () => {
  it('shares a transaction, and retries the others if one task fails', async () => {
    const { add, numbers, rollbacks } = counter()
    const results = await Promise.allSettled([add(1), add(1), add(2)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(numbers()).toEqual([1, 2])
    expect(rollbacks()).toBe(2)
  })

  it('resolves only after the commit', async () => {
    const { commits, add, numbers } = counter()
    let isDone = false
    const adding = add(1).then(() => (isDone = true))
    await Promise.resolve()
    expect(isDone).toBe(false)
    commits.flush()
    expect(numbers()).toEqual([1])
    await adding
  })
})

describe('openMailboxes', () => {
  it('is empty if no testbed has run', async () => {
    const mailboxes = mailboxesOf(join(testFolder(), 'nowhere'))
    expect(mailboxes.listMailboxes()).toEqual({ total: 0, rows: [] })
    expect(mailboxes.listLog()).toEqual({ total: 0, rows: [] })
    expect(await mailboxes.getMessage(1)).toBeNull()
    expect(mailboxes.counts()).toMatchObject({ messages: 0, outcomes: [], events: [] })
    expect(() => mailboxes.clear()).not.toThrow()
  })

  it('lists and searches, with text taken literally', async () => {
    const folder = testFolder()
    const store = openStore(folder)
    await store.accept(mail('100% off', ['anna@gmail.test']))
    await store.accept(mail('1000 off', ['Anna@gmail.test', 'ben_x@gmx.test']))
    await store.accept(mail("it's \\ odd", ['benax@gmx.test']))
    const mailboxes = mailboxesOf(folder)
    const found = (search: string) => mailboxes.listMessages({ search }).rows.map(({ subject }) => subject)
    expect(found('100%')).toEqual(['100% off'])
    expect(found("it's \\")).toEqual(["it's \\ odd"])
    expect(found('OFF')).toHaveLength(3)
    expect(mailboxes.listMailboxes({ search: 'ben_x' }).rows.map(({ address }) => address)).toEqual([
      'ben_x@gmx.test',
    ])
    expect(mailboxes.listMailboxes().rows.map(({ address, messages }) => [address, messages])).toEqual([
      ['benax@gmx.test', 1],
      ['ben_x@gmx.test', 1],
      ['anna@gmail.test', 2],
    ])
    expect(mailboxes.listMessages({ mailbox: 'ANNA@gmail.test', limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      rows: [{ subject: '100% off' }],
    })
    expect(mailboxes.listMessages({ limit: -5, offset: -5 }).rows).toEqual([])
    expect(mailboxes.listLog({ search: 'ben', outcome: 'accepted' }).total).toBe(2)
    expect(mailboxes.listLog({ outcome: 'refused' }).total).toBe(0)
  })

  it('hides the body of system mail in every query', async () => {
    const folder = testFolder()
    const link = 'http://localhost/password-reset?token=secret'
    await openStore(folder).accept(
      mail(`Your new password\r\n${systemMailHeader.toLowerCase()}: yes`, ['a@gmail.test'], `Open ${link}`),
    )
    const mailboxes = mailboxesOf(folder)
    const message = await mailboxes.getMessage(1)
    expect(message).toMatchObject({ is_withheld: true, html: null, text: null, attachments: [], events: [] })
    expect(message?.source).toContain('Your new password')
    expect(JSON.stringify([message, mailboxes.listMessages()])).not.toContain('secret')
  })
})
