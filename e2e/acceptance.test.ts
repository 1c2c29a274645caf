import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogRow } from '@emma/testbed/mailbox-rows.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from './api-session.ts'
import { memberFile } from './member-file.ts'
import type { RunningEmma } from './launch-emma.ts'
import { startEmma } from './start-emma.ts'

/** Number of rows in the imported file. EMMA_ACCEPTANCE_ROWS=100000 runs the full size. */
const rows = Number(process.env.EMMA_ACCEPTANCE_ROWS ?? 6_000)

const powerCuts = process.env.CI ? 3 : 1

/** Factor of timeouts: larger files take longer, in particular on a busy machine. */
const timeoutFactor = Math.max(1, rows / 20_000)

let emma: RunningEmma
let api: ApiSession

beforeAll(async () => {
  emma = await startEmma({ fresh: true })
  api = await openApi(emma)
})
afterAll(() => emma?.stop())

test('acceptance: import, segment, template, campaign with power cuts, and a consistent report', async () => {
  const file = memberFile(rows)

  // Imports the file, with its suppressed addresses on the client's blacklist.
  const table = await api.post('/emma/membertable/', { name: 'Acceptance' })
  const tableId: number = table.member_table_id
  await api.patch(`/emma/membertable/${tableId}`, {
    emmamembertableschema: [
      ...table.emmamembertableschema,
      { column_name: 'name', label: 'Name', data_type: 'string', length: 200 },
      { column_name: 'city', label: 'City', data_type: 'string', length: 200 },
      { column_name: 'points', label: 'Points', data_type: 'int' },
    ],
  })
  const [blacklist] = (await api.get('/emma/blacklist/?type[]=client')).data
  for (let from = 0; from < file.blacklist.length; from += 1000)
    await api.post(`/emma/blacklist/${blacklist.blacklist_id}/entry/`, {
      values: file.blacklist.slice(from, from + 1000),
    })
  const upload = await api.upload(
    '/v2/dataupload/',
    { member_table_id: tableId, mode: 'upsert' },
    file.csv,
    'people.csv',
  )
  expect(upload).toMatchObject({ status: 1, delimiter: ';', header: ['email', 'name', 'city', 'points'] })
  await api.post(`/dataupload/${upload.id}/start`)
  const imported = await until(
    () => api.get(`/dataupload/${upload.id}`),
    state => state.status >= 3,
    120 * timeoutFactor,
  )
  expect(imported).toMatchObject({
    status: 3,
    rows_ok: file.valid,
    rows_duplicate: file.duplicate,
    rows_invalid: file.invalid,
    rows_incomplete: file.incomplete,
    rows_suppressed: file.suppressed,
  })
  const errors = await api.text(`/dataupload/${upload.id}/errors`)
  const rejected = file.duplicate + file.invalid + file.incomplete + file.suppressed
  expect(errors.trim().split('\n').length - 1).toBe(rejected)

  // Creates a segment of about half of the members, and a template.
  const list = await api.post('/emma/list/', {
    name: 'More than 500 points',
    member_table_id: tableId,
    query: { combinator: 'and', rules: [{ field: 'points', operator: '>', value: 500 }] },
  })
  const count = await api.post('/emma/list:count', { list_id: list.list_id })
  expect(count.total).toBe(file.rich)
  const message = await api.post('/emma/message/', {
    name: 'Acceptance',
    subject: 'Hello {{ member.name }}',
    ...content(),
  })

  // Creates the campaign.
  const [domain] = (await api.get('/emma/domain/')).data
  const [mailclass] = (await api.get('/emma/mailclass/')).data
  const campaign = await api.post('/emma/campaign/', {
    name: 'Acceptance',
    message_id: message.message_id,
    list_id: list.list_id,
    domain_id: domain.domain_id,
    mailclass_id: mailclass.mailclass_id,
    fromadr: 'hello@northwind.test',
    fromname: 'Größe & Söhne',
    throttle: Math.max(Math.ceil(rows * 4), 12_000),
    throttle_unit: 'minute',
  })
  const id: number = campaign.campagne_id
  expect((await api.get(`/emma/campaign/${id}/check`)).errors).toEqual([])
  const started = await api.post(`/emma/campaign/${id}/start`)
  expect([2, 4]).toContain(started.valid)

  // Kills the program during sending.
  for (let cut = 1; cut <= powerCuts; cut++) {
    await until(
      () => report(id),
      now => now.nb_send >= (file.rich * cut) / 5,
      60 * timeoutFactor,
    )
    await emma.kill()
    await emma.restart()
    api = await openApi(emma)
  }

  // Deferred messages are retried later: a pause keeps both logs stable while they are compared.
  await until(
    () => report(id),
    now => now.nb_pending === deferred(now) && now.nb_send > 0,
    120 * timeoutFactor,
  )
  await api.post(`/emma/campaign/${id}/pause`).catch(() => {})
  await new Promise(resolve => setTimeout(resolve, 3_000))
  const last = await until(
    () => report(id),
    now => now.nb_pending === deferred(now),
  )
  const log = readLog()
  const accepted = log.filter(row => row.outcome === 'accepted' || row.outcome === 'unanswered')
  const addresses = accepted.map(row => row.recipient.toLowerCase())

  expect(last.nb_recipients).toBe(file.rich)
  expect(last.nb_send + last.nb_preblock + last.nb_unknown + last.nb_pending + last.nb_cancelled).toBe(
    file.rich,
  )
  // No recipient got two messages, whatever was killed. A message with a lost reply is not retried.
  expect(new Set(addresses).size).toBe(addresses.length)
  // The report's sent messages match the receivers' log, except for messages whose reply was lost.
  const ledger = await recipients(id, 'sent')
  const took = new Set(addresses)
  expect(ledger.filter(email => !took.has(email))).toEqual([])
  const unknown = new Set(await recipients(id, 'unknown'))
  const surplus = addresses.filter(address => !ledger.includes(address))
  expect(surplus.filter(address => !unknown.has(address))).toEqual([])
  const refused = new Set(
    log.filter(row => row.outcome === 'refused').map(row => row.recipient.toLowerCase()),
  )
  expect((await recipients(id, 'rejected')).filter(email => !refused.has(email))).toEqual([])

  await checkMails()
  await unsubscribeOne(tableId)
})

function report(id: number): Promise<Json> {
  return api.get(`/emma/report/${id}`)
}

function deferred(now: Json): number {
  return (now.providers as Json[]).reduce((sum, provider) => sum + Number(provider.deferred), 0)
}

async function recipients(id: number, state: string): Promise<string[]> {
  const csv = await api.text(`/emma/report/download/${id}?state=${state}`)
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map(line => (line.split(',')[1] ?? '').toLowerCase())
}

/** The receivers' log of this campaign's recipients. */
function readLog(): LogRow[] {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const log = [...mailboxes.readLog()].filter(row => /person\d+@/i.test(row.recipient))
  mailboxes.close()
  return log
}

/** Independent validation of received messages: DKIM by mailauth (in the testbed), MIME by postal-mime. */
async function checkMails(): Promise<void> {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  // The testbed only samples a few percent of the signatures of fast campaigns.
  const { rows: received } = mailboxes.listMessages({ search: 'person', limit: 2_000 })
  const sampled = received.filter(row => row.verified !== 'not sampled')
  expect(sampled.length).toBeGreaterThan(5)
  expect(sampled.map(row => row.verified)).toEqual(sampled.map(() => 'pass'))
  for (const row of received.slice(0, 50)) {
    const source = mailboxes.getSource(row.id)
    const mail = await PostalMime.parse(source ?? Buffer.alloc(0))
    expect(mail.from).toMatchObject({ name: 'Größe & Söhne', address: 'hello@northwind.test' })
    expect(mail.to?.[0]?.address).toBe(row.recipient)
    expect(mail.subject).toMatch(/^Hello/)
    expect(mail.html?.length).toBeGreaterThan(100)
    expect(mail.text?.length).toBeGreaterThan(10)
    const header = (name: string) => mail.headers.find(each => each.key === name)?.value ?? ''
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(header('list-unsubscribe')).toMatch(/<https?:.*>, ?<mailto:.*>/)
    expect(header('list-id')).not.toBe('')
    expect(header('feedback-id')).not.toBe('')
    expect(header('return-path') + row.sender).toMatch(/b-[a-z2-7]{40}@bounce\.northwind\.test/)
  }
  mailboxes.close()
}

/** The link in a received message unsubscribes that member only; viewing the page unsubscribes nobody. */
async function unsubscribeOne(tableId: number): Promise<void> {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const [row] = mailboxes.listMessages({ search: 'ok-person', limit: 1 }).rows
  const source = mailboxes.getSource(row?.id ?? 0)?.toString() ?? ''
  mailboxes.close()
  const link = /List-Unsubscribe:\s*<(http[^>]+)>/i.exec(source.replaceAll(/\r\n[ \t]+/g, ''))?.[1] ?? ''
  const off = async () => {
    const path = `/v2/emma/client/1/membertable/${tableId}/member/?include_unsubscribed=true&limit=100000`
    const members: Json[] = (await api.get(path)).data
    return members.filter(member => member.dateunjoin !== null).map(member => member.email)
  }
  const before = await off()
  expect((await fetch(link)).status).toBe(200)
  expect(await off()).toEqual(before)
  const answer = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(answer.status).toBe(200)
  const gone = (await off()).filter(email => !before.includes(email))
  expect(gone).toEqual([row?.recipient])
}

/** HTML of a real template if there is one, with the required footer. */
function content(): Json {
  const path = new URL('../../shared/data/templates/responsive-email.html', import.meta.url)
  const footer = '<p>{{ module.imprint }} <a href="{{ link.unsubscribe }}">Unsubscribe</a></p>'
  const html = existsSync(path)
    ? readFileSync(path, 'utf8').replace(/<\/body>/i, `${footer}</body>`)
    : `<html><body><h1>Hello</h1><p>Read <a href="https://www.northwind.test/">more of it</a>, there is a lot.</p>${footer}</body></html>`
  return { body_long: html }
}
