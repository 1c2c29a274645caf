import { createServer } from 'node:net'
import { once } from 'node:events'
import { imapLoginOperations } from '@emma/core/deliverability/placement/imap-login-operations.ts'
import { imapSettingOperations } from '@emma/core/deliverability/placement/imap-setting-operations.ts'
import { ipciOperations } from '@emma/core/deliverability/placement/ipci-operations.ts'
import { listResults, readPlacements } from '@emma/core/deliverability/placement/read-placements.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { testKey } from '@emma/core/test/campaign.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { snapshotCampaign } from '@emma/delivery/model/campaign-snapshot.ts'
import type { SingleSender } from '@emma/delivery/send-test.ts'
import { startLab, TEST_TOKEN_KEY, type TestLab } from '@emma/delivery/test/engine.ts'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { type Dovecot, hasDovecot, startDovecot } from '@emma/testbed/test/dovecot.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../logger.ts'
import type { MailboxContext } from '../mailboxes/open-mailbox.ts'
import { startPlacementChecks } from './placement-loop.ts'

const settings = imapSettingOperations(testKey, async () => null)
const logins = imapLoginOperations(testKey)
let database: TestDatabase
let lab: TestLab
let dovecot: Dovecot | undefined
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  lab = await startLab(database.db)
  if (hasDovecot) dovecot = await startDovecot({ seed: 'secret', late: 'secret' })
})
afterAll(async () => {
  await dovecot?.stop()
  await lab?.stop()
  await database.drop()
})
beforeEach(async () => {
  tenant = await createTestTenant(database.db, ['ann@gmail.test'])
})

const scope = () => ({ clientIds: [tenant.clientId] })
const actor = () => systemActor(tenant.clientId)

/** Starts the loops of as many machines; they stop with the test. */
function startMachines(count = 1): void {
  const { db } = database
  const sender: SingleSender = {
    db,
    tokenKey: TEST_TOKEN_KEY,
    openSecret: sealed => sealed.toString(),
    trackingBaseOf: () => 'http://localhost:9',
    testbed: { host: '127.0.0.1', port: lab.port },
    helo: 'engine.test',
  }
  const mailboxes: MailboxContext = {
    key: testKey,
    testbedFolder: lab.folder,
    allowLoopback: true,
    isAllowed: () => true,
    ca: TEST_CERTIFICATE.cert,
  }
  const loops = Array.from({ length: count }, () =>
    startPlacementChecks({ db, logger: createLogger('jobs', 'silent'), sender, mailboxes }),
  )
  onTestFinished(async () => {
    await Promise.all(loops.map(loop => loop.stop()))
  })
}

async function addMailbox(email: string, setting: Parameters<typeof settings.create>[3], username = email) {
  const made = await settings.create(database.db, actor(), tenant.clientId, setting)
  const login = { email, username, password: 'secret', setting_id: made.setting_id }
  const { login_id: id } = await logins.create(database.db, actor(), tenant.clientId, login)
  return id
}

const inTestbed = (email: string) =>
  addMailbox(email, { provider: email.split('@')[1] ?? '', protocol: 'testbed' })

const inDovecot = (user: string) =>
  addMailbox(
    `ok-${user}@gmail.test`,
    { provider: 'Dovecot', host: 'localhost', port: dovecot?.ports.tls ?? 0, promo_folder: 'Promotions' },
    user,
  )

function addCheck(loginIds: number[], campaignId: number | null = null) {
  const { messageId, domainId, mailclassId, clientId } = tenant
  return ipciOperations.create(database.db, actor(), clientId, {
    name: 'Before the launch',
    campagne_id: campaignId,
    login_ids: loginIds,
    message_id: messageId,
    domain_id: domainId,
    mailclass_id: mailclassId,
  })
}

const find = (id: number) => ipciOperations.find(database.db, actor(), scope(), id)

async function resultsOf(id: number) {
  const { data } = await listResults(database.db, scope(), { ipci_id: id, limit: 100, skip: 0 })
  return new Map(data.map(row => [row.email, row]))
}

/** Moves everything of the client's checks into the past. */
async function passMinutes(minutes: number): Promise<void> {
  const by = sql`make_interval(mins => ${minutes})`
  await sql`update ipci set sent_at = sent_at - ${by} where client_id = ${tenant.clientId}`.execute(
    database.db,
  )
  await sql`update ipci_result set sent_at = sent_at - ${by} where client_id = ${tenant.clientId}`.execute(
    database.db,
  )
  await sql`update imap_login set next_poll = now() where client_id = ${tenant.clientId}`.execute(database.db)
}

async function notices() {
  const { rows } = await sql<{ code: string; details: unknown }>`
    select code, details from notification where client_id = ${tenant.clientId} order by id`.execute(
    database.db,
  )
  return rows
}

it('R222 R223 finds where a mail arrived in the testbed, once although two machines work', async () => {
  const addresses = ['ok-1@gmail.test', 'spam-1@gmx.test', 'promo-1@gmail.test', 'reject-1@web.test']
  const ids = await Promise.all(addresses.map(inTestbed))
  const { ipci_id: id } = await addCheck(ids)
  expect(await find(id)).toMatchObject({ valid: 1, nb_waiting: 4 })
  startMachines(2)
  await expect.poll(async () => (await find(id)).valid).toBe(3)
  expect(await find(id)).toMatchObject({
    nb_inbox: 1,
    nb_spam: 1,
    nb_promotions: 1,
    nb_missing: 1,
    nb_waiting: 0,
    sent_at: expect.any(String),
    finished_at: expect.any(String),
  })
  const results = await resultsOf(id)
  expect(results.get('ok-1@gmail.test')).toMatchObject({
    placement: 'inbox',
    outcome: 'sent',
    dkim: 'pass',
    dmarc: 'pass',
    has_source: true,
    is_over: true,
  })
  expect(results.get('reject-1@web.test')).toMatchObject({ placement: 'missing', outcome: 'rejected' })
  const { rows } = openMailboxes(lab.folder).listMessages({ mailbox: 'ok-1@gmail.test' })
  expect(rows.map(({ subject }) => subject)).toEqual(['News for Alex'])
  expect(await notices()).toEqual([
    {
      code: 'placement_bad',
      details: { name: 'Before the launch', inbox: 1, total: 4, providers: 'gmail.test, gmx.test, web.test' },
    },
  ])
  const view = await readPlacements(database.db, tenant.clientId, {})
  expect(view.providers.find(({ provider }) => provider === 'gmail.test')).toMatchObject({
    sent: 2,
    inbox: 1,
    promotions: 1,
  })
  expect(view.days).toMatchObject([{ sent: 4, inbox: 1 }])
})

it('sends a deferred mail again', async () => {
  const { ipci_id: id } = await addCheck([await inTestbed('grey-1@gmail.test')])
  startMachines()
  await expect.poll(async () => (await resultsOf(id)).get('grey-1@gmail.test')?.outcome).toBe('deferred')
  await passMinutes(2)
  await expect.poll(async () => (await find(id)).valid).toBe(3)
  expect(await find(id)).toMatchObject({ nb_inbox: 1 })
})

it('says why nothing could be sent', async () => {
  await database.db
    .updateTable('domain')
    .set({ status: 'failed' })
    .where('domain_id', '=', tenant.domainId)
    .execute()
  const { ipci_id: id } = await addCheck([await inTestbed('ok-2@gmail.test')])
  startMachines()
  await expect.poll(async () => (await find(id)).valid).toBe(6)
  expect((await find(id)).error).toMatchObject({ code: expect.stringMatching(/^campaign\./) })
})

it('sends what the recipients of a campaign get, once its content is fixed', async () => {
  const { db } = database
  const key = await addCampaign(tenant)
  const { ipci_id: id } = await addCheck([await inTestbed('ok-3@gmail.test')], key.campaignId)
  const { ipci_id: other } = await addCheck([await inTestbed('ok-6@gmail.test')])
  startMachines()
  await expect.poll(async () => (await find(other)).valid).toBe(3)
  // The campaign is being prepared.
  expect((await find(id)).valid).toBe(1)
  const snapshot = await snapshotCampaign(db, key, () => 'http://link.test')
  await db
    .updateTable('message')
    .set({ subject: 'Changed later' })
    .where('message_id', '=', tenant.messageId)
    .execute()
  await db
    .updateTable('campaign')
    .set({ snapshot: JSON.stringify(snapshot), valid: 2 })
    .where('campagne_id', '=', key.campaignId)
    .execute()
  await expect.poll(async () => (await find(id)).valid).toBe(3)
  const mailboxes = openMailboxes(lab.folder)
  const [row] = mailboxes.listMessages({ mailbox: 'ok-3@gmail.test' }).rows
  const mail = await mailboxes.getMessage(row?.id ?? 0)
  mailboxes.close()
  expect(mail?.subject).toBe('News for Alex')
  expect(mail?.html).toContain('http://link.test/t/c/')
})

it('a further attempt that fails ends its own mail, not the check', async () => {
  const { ipci_id: id } = await addCheck([
    await inTestbed('grey-2@gmail.test'),
    await inTestbed('ok-7@gmail.test'),
  ])
  startMachines()
  await expect.poll(async () => (await resultsOf(id)).get('grey-2@gmail.test')?.outcome).toBe('deferred')
  await database.db
    .updateTable('domain')
    .set({ status: 'failed' })
    .where('domain_id', '=', tenant.domainId)
    .execute()
  await passMinutes(2)
  await expect.poll(async () => (await find(id)).valid).toBe(3)
  expect(await find(id)).toMatchObject({ error: null, nb_inbox: 1, nb_missing: 1 })
  expect((await resultsOf(id)).get('grey-2@gmail.test')).toMatchObject({ outcome: 'held' })
})

it.skipIf(!hasDovecot)(
  'finds mails over IMAP; those that no folder has are missing after an hour',
  async () => {
    const { ipci_id: id, token } = await addCheck([await inDovecot('seed'), await inDovecot('late')])
    dovecot?.deliver('seed', 'Promotions', `X-EMMA-IPCI: ${token}\r\nSubject: News\r\n\r\nHello\r\n`)
    startMachines()
    const placement = async (user: string) => (await resultsOf(id)).get(`ok-${user}@gmail.test`)?.placement
    await expect.poll(() => placement('seed')).toBe('promotions')
    await expect
      .poll(async () => (await resultsOf(id)).get('ok-late@gmail.test'))
      .toMatchObject({ outcome: 'sent', placement: null, delay_s: null, is_over: false })
    await passMinutes(61)
    await expect.poll(() => placement('late')).toBe('missing')
    await expect.poll(async () => (await find(id)).valid).toBe(3)
  },
)

it('a mailbox that hangs is named and given up, and the others are read', async () => {
  const silent = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const hanging = await addMailbox('ok-4@gmail.test', { provider: 'Silent', host: '127.0.0.1', port })
  const { ipci_id: id } = await addCheck([hanging, await inTestbed('ok-5@gmail.test')])
  startMachines()
  await expect.poll(async () => (await resultsOf(id)).get('ok-5@gmail.test')?.placement).toBe('inbox')
  await expect
    .poll(async () => (await logins.find(database.db, actor(), scope(), hanging)).last_error)
    .toMatchObject({ code: 'imap.timeout' })
  await passMinutes(71)
  await expect.poll(async () => (await find(id)).valid).toBe(3)
  expect(await find(id)).toMatchObject({ nb_inbox: 1, nb_waiting: 1, nb_missing: 0 })
})
