import { type MailCall, mailCall } from '@emma/contract/actions/transactional.ts'
import { followEvents } from '@emma/core/events/follow-events.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { createTestTenant, SENDER, type TestTenant } from '@emma/core/test/tenant.ts'
import { createMailAcceptor, type MailAcceptor } from '@emma/core/transactional/accept-mails.ts'
import { cancelMail, findMail, resendMail } from '@emma/core/transactional/mail-log.ts'
import { readMailTemplate } from '@emma/core/transactional/mail-template.ts'
import { readTransactionalReport } from '@emma/core/transactional/read-transactional-report.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLab, testEngine, type TestLab } from '../test/engine.ts'
import type { Engine } from './engine.ts'

let database: TestDatabase
let lab: TestLab
let engine: Engine
let tenant: TestTenant
let acceptor: MailAcceptor
let id: number

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ok-ann@gmail.test', 'ok-gone@gmail.test'])
  lab = await startLab(database.db)
  acceptor = createMailAcceptor(database.db)
  await database.db
    .updateTable('message')
    .set({
      subject: 'Your order {{ data.number }}',
      body_long: `<p>Dear {{ member.name | default: member.firstname }}, {% for item in data.items %}{{ item.title }};{% endfor %}</p>
<p><a href="https://shop.example/orders/{{ data.number }}">Your order</a> {{ client.imprint }}</p>`,
    })
    .execute()
  const made = await database.db
    .insertInto('transactional')
    .values({
      client_id: tenant.clientId,
      name: 'Order',
      domain_id: tenant.domainId,
      mailclass_id: tenant.mailclassId,
      message_id: tenant.messageId,
      member_table_id: tenant.memberTableId,
      fromadr: `orders@${SENDER}`,
      fromname: 'Shop',
      reply_to: `help@${SENDER}`,
      data_fields: JSON.stringify([
        { name: 'number', type: 'text', required: true, example: null, fields: [] },
        {
          name: 'items',
          type: 'list',
          required: false,
          example: null,
          fields: [{ name: 'title', type: 'text', required: true, example: null, fields: [] }],
        },
      ]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  ;({ id } = made)
  engine = await testEngine(database, lab.port)
})
afterAll(async () => {
  await engine?.stop()
  await lab?.stop()
  await database.drop()
})

async function accept(...calls: Partial<MailCall>[]) {
  const template = await readMailTemplate(database.db, { clientIds: [tenant.clientId] }, id)
  const full = calls.map(call =>
    mailCall.parse({ email: 'ok-guest@web.test', data: { number: 'A-1' }, ...call }),
  )
  return acceptor.accept(template, full, index => (calls.length > 1 ? `mails.${index}.` : ''))
}

const keyOf = (mailId: number) => ({ clientId: tenant.clientId, id, mailId })
const stateOf = async (mailId: number) => (await findMail(database.db, keyOf(mailId))).logged
const actor = () => systemActor(tenant.clientId)

async function send(call: Partial<MailCall>): Promise<number> {
  const [accepted] = await accept(call)
  return accepted?.message_id ?? 0
}

async function receivedBy(email: string) {
  const mailboxes = openMailboxes(lab.folder)
  const rows = mailboxes.listMessages({ limit: 500 }).rows.filter(row => row.recipient === email)
  return Promise.all(
    rows.map(async row => ({ verified: row.verified, ...(await mailboxes.getMessage(row.id)) })),
  )
}

describe('transactional emails', () => {
  it('R234 an email arrives signed, with the data of its call, and no unsubscribe header', async () => {
    await send({
      email: 'ok-guest@web.test',
      name: 'Ms Größe',
      data: { number: 'A-1001', items: [{ title: 'Tea' }, { title: 'Cup' }] },
    })
    await expect.poll(async () => (await receivedBy('ok-guest@web.test')).length).toBe(1)
    const [mail] = await receivedBy('ok-guest@web.test')
    expect(mail).toMatchObject({ verified: 'pass', subject: 'Your order A-1001' })
    expect(mail?.html).toContain('Dear Ms Größe, Tea;Cup;')
    const headers = new Map(mail?.headers?.map(({ name, value }) => [name.toLowerCase(), value]))
    expect(headers.get('from')).toContain(`orders@${SENDER}`)
    expect(headers.get('reply-to')).toContain(`help@${SENDER}`)
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.has('list-unsubscribe')).toBe(false)
    expect(headers.has('precedence')).toBe(false)
  })

  it('subject and reply address of the call replace those of the template; the member gives its fields', async () => {
    const { rows } = await sql<{ member_id: number }>`
      select member_id from ${sql.id('members', `t${tenant.memberTableId}`)} where email = 'ok-ann@gmail.test'`.execute(
      database.db,
    )
    await send({
      email: 'ok-ann@gmail.test',
      member_id: rows[0]?.member_id ?? 0,
      subject: 'Dein Tee ist da: Größe {{ data.number }}',
      reply_to: 'clerk@shop.test',
    })
    await expect.poll(async () => (await receivedBy('ok-ann@gmail.test')).length).toBe(1)
    const [mail] = await receivedBy('ok-ann@gmail.test')
    expect(mail?.subject).toBe('Dein Tee ist da: Größe {{ data.number }}')
    expect(mail?.html).toContain('Dear Ann 1,')
    const replies = mail?.headers?.filter(({ name }) => name.toLowerCase() === 'reply-to')
    expect(replies?.map(({ value }) => value)).toEqual([expect.stringContaining('clerk@shop.test')])
    // Not to somebody else.
    await send({ email: 'ok-thief@web.test', member_id: rows[0]?.member_id ?? 0 })
    await expect.poll(async () => (await receivedBy('ok-thief@web.test')).length).toBe(1)
    expect((await receivedBy('ok-thief@web.test'))[0]?.html).not.toContain('Ann 1')
  })

  it('files of the call are attached, and again when the email is sent again', async () => {
    const content = Buffer.from('%PDF-1.7 invoice')
    const file = {
      filename: 'Rechnung Größe.pdf',
      content_type: 'application/pdf',
      content: content.toString('base64'),
    }
    const mailId = await send({ email: 'ok-files@web.test', attachments: [file] })
    await expect.poll(async () => (await receivedBy('ok-files@web.test')).length).toBe(1)
    const found = await findMail(database.db, keyOf(mailId))
    expect(found.attachments).toEqual([
      { filename: file.filename, content_type: 'application/pdf', content_id: null, size: content.length },
    ])
    await resendMail(database.db, actor(), keyOf(mailId))
    await expect.poll(async () => (await receivedBy('ok-files@web.test')).length).toBe(2)
    for (const mail of await receivedBy('ok-files@web.test')) {
      expect(mail.verified).toBe('pass')
      expect(mail.source?.replaceAll(/\s/g, '')).toContain(file.content)
    }
  })

  it('an image with a Content-ID is shown in the HTML, and each is used once', async () => {
    const image = {
      filename: 'logo.png',
      content_type: 'image/png',
      content_id: 'logo@shop',
      content: Buffer.from('a picture').toString('base64'),
    }
    await send({ email: 'ok-inline@web.test', attachments: [image] })
    await expect.poll(async () => (await receivedBy('ok-inline@web.test')).length).toBe(1)
    const [mail] = await receivedBy('ok-inline@web.test')
    expect(mail?.verified).toBe('pass')
    const { attachments } = await PostalMime.parse(mail?.source ?? '')
    expect(attachments).toMatchObject([
      { filename: 'logo.png', contentId: '<logo@shop>', disposition: 'inline', related: true },
    ])
    await expect(accept({ email: 'ok-inline@web.test', attachments: [image, image] })).rejects.toMatchObject({
      fields: [{ field: expect.stringMatching(/attachments\.1\.content_id$/), code: 'field.taken' }],
    })
  })

  it('an idempotency key sends once: the same call is answered alike, another one is a conflict', async () => {
    const call = { email: 'ok-once@web.test', idempotency_key: 'order-7' }
    const answers = await Promise.all([accept(call), accept(call), accept(call)])
    expect(new Set(answers.map(([answer]) => answer?.message_id)).size).toBe(1)
    expect(answers.filter(([answer]) => !answer?.is_repeated)).toHaveLength(1)
    await expect(accept({ ...call, data: { number: 'B' } })).rejects.toMatchObject({ code: 'conflict' })
    // A batch is accepted whole or not at all.
    const batch = [
      { email: 'ok-other@web.test', idempotency_key: 'order-8' },
      { ...call, data: { number: 'B' } },
    ]
    await expect(accept(...batch)).rejects.toMatchObject({ code: 'conflict' })
    const [first] = await accept({
      email: 'ok-other@web.test',
      idempotency_key: 'order-8',
      data: { number: 'C' },
    })
    expect(first?.is_repeated).toBe(false)
    await sql`update transactional_mail set created_at = now() - interval '25 hours' where idempotency_key = 'order-7'`.execute(
      database.db,
    )
    const [again] = await accept({ ...call, data: { number: 'B' } })
    expect(again?.is_repeated).toBe(false)
  })

  it('every faulty field is named, and nothing of a faulty batch is accepted', async () => {
    const before = await database.db.selectFrom('transactional_mail').select('mail_id').execute()
    const faulty = accept(
      { email: 'ok-fine@web.test' },
      { email: 'a@b', data: { numbr: 'A', items: [{ title: 3 }] } as unknown as MailCall['data'] },
    )
    await expect(faulty).rejects.toMatchObject({
      code: 'invalid',
      fields: [
        { field: 'mails.1.email' },
        { field: 'mails.1.data.number' },
        { field: 'mails.1.data.items.0.title' },
        { field: 'mails.1.data.numbr' },
      ],
    })
    expect(await database.db.selectFrom('transactional_mail').select('mail_id').execute()).toEqual(before)
  })

  it('ignores unsubscribes; hard bounces and the internal list are respected, unless it is sent again on purpose', async () => {
    const members = sql.id('members', `t${tenant.memberTableId}`)
    await sql`update ${members} set dateunjoin = now() where email = 'ok-ann@gmail.test'`.execute(database.db)
    await sql`update ${members} set hardbounced_at = now() where email = 'ok-gone@gmail.test'`.execute(
      database.db,
    )
    await sql`
      insert into internal_blacklist_entry (value, match) values ('ok-listed@web.test', 'email')`.execute(
      database.db,
    )
    const ann = await send({ email: 'ok-ann@gmail.test' })
    const gone = await send({ email: 'OK-Gone@gmail.test' })
    const listed = await send({ email: 'ok-listed@web.test' })
    const bounced = await send({ email: 'bounce-hard@web.test' })
    await expect.poll(async () => (await stateOf(ann)).state).toBe('sent')
    await expect.poll(async () => (await stateOf(gone)).skip_reason).toBe('hardbounce')
    await expect.poll(async () => (await stateOf(listed)).skip_reason).toBe('blacklist_internal')
    await expect.poll(async () => (await stateOf(bounced)).state).toBe('rejected')
    while ((await followEvents(database.db)) > 0);
    const second = await send({ email: 'bounce-hard@web.test' })
    await expect.poll(async () => (await stateOf(second)).skip_reason).toBe('hardbounce')
    const { message_id: retried } = await resendMail(database.db, actor(), keyOf(gone))
    await expect.poll(async () => (await stateOf(retried)).state).toBe('sent')
  })

  it('a scheduled email waits, and can be cancelled until it is handed over', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    const later = await send({ email: 'ok-later@web.test', send_at: inAnHour })
    expect((await stateOf(later)).state).toBe('scheduled')
    await cancelMail(database.db, actor(), keyOf(later))
    expect((await stateOf(later)).state).toBe('cancelled')
    await sql`update transactional_mail set due_at = now() where mail_id = ${later}`.execute(database.db)
    const next = await send({ email: 'ok-next@web.test' })
    await expect.poll(async () => (await stateOf(next)).state).toBe('sent')
    expect(await receivedBy('ok-later@web.test')).toEqual([])
    await expect(cancelMail(database.db, actor(), keyOf(next))).rejects.toMatchObject({ code: 'wrong_state' })
  })

  it('while it cannot be sent, emails wait with the reason', async () => {
    const setActive = (active: boolean) => database.db.updateTable('transactional').set({ active }).execute()
    const template = await readMailTemplate(database.db, { clientIds: [tenant.clientId] }, id)
    await setActive(false)
    await expect(accept({})).rejects.toMatchObject({ code: 'wrong_state' })
    // Accepted just before it was switched off.
    const [waiting] = await acceptor.accept(
      template,
      [mailCall.parse({ email: 'ok-wait@web.test', data: { number: 'A' } })],
      () => '',
    )
    const mailId = waiting?.message_id ?? 0
    await expect
      .poll(() => stateOf(mailId))
      .toMatchObject({ state: 'waiting', fault: { code: 'campaign.transactional_off' } })
    const notices = await database.db.selectFrom('notification').select(['code', 'path']).execute()
    expect(notices).toEqual([{ code: 'transactional_waiting', path: `/transactionals/edit/${id}` }])
    await setActive(true)
    await sql`update transactional_mail set due_at = now() where mail_id = ${mailId}`.execute(database.db)
    await expect.poll(async () => (await stateOf(mailId)).state).toBe('sent')
  })

  it('a changed template is sent from the next email on, in a campaign of its own', async () => {
    await database.db.updateTable('message').set({ body_text: 'Changed {{ data.number }}' }).execute()
    await send({ email: 'ok-changed@web.test', data: { number: 'Z' } })
    await expect.poll(async () => (await receivedBy('ok-changed@web.test'))[0]?.text).toContain('Changed Z')
    const campaigns = await database.db.selectFrom('transactional_campaign').selectAll().execute()
    expect(campaigns).toHaveLength(2)
  })

  it('R235 the report counts every email of the day, as the ledger has them', async () => {
    const unsettled = () =>
      database.db
        .selectFrom('delivery')
        .select('member_id')
        .where('state', 'in', ['pending', 'claimed'])
        .execute()
    await expect.poll(unsettled).toEqual([])
    const [today, ...more] = await readTransactionalReport(database.db, tenant.clientId, {})
    expect(more).toEqual([])
    const { rows } = await sql<Record<string, number>>`
      select count(*) as nb_recipients, count(*) filter (where state in ('sent', 'rejected')) as nb_send,
        count(*) filter (where state = 'skipped') as nb_preblock,
        count(*) filter (where state = 'sent') as nb_delivered
      from transactional_mail m left join delivery d
        on d.client_id = m.client_id and d.campagne_id = m.campagne_id and d.member_id = m.mail_id`.execute(
      database.db,
    )
    expect(today).toMatchObject({
      ...rows[0],
      nb_hardbounce: 1,
      nb_cancelled: 1,
      nb_pending: 0,
      nb_unknown: 0,
    })
  })
})
