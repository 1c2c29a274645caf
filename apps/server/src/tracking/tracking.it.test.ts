import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { readRecipients } from '@emma/delivery/2-claim/read-recipients.ts'
import { followEvents } from '@emma/core/events/follow-events.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import { signToken, type Token, type TokenPurpose } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTestTracking, type TestTracking, trackingKey } from '../test/tracking-server.ts'

const HUMAN =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

let database: TestDatabase
let tenant: TestTenant
let campaign: { clientId: number; campaignId: number }
let tracking: TestTracking
const folder = mkdtempSync(join(tmpdir(), 'emma-hits-'))

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test', 'ben@gmx.test', 'cat@gmx.test'])
  campaign = await addCampaign(tenant)
  await expandCampaign(tenant.db, campaign, testExpansion)
  await sql`update delivery set state = 'sent', recorded_at = now() - interval '1 hour'`.execute(tenant.db)
  tracking = await openTestTracking(database, folder)
})
afterAll(async () => {
  await tracking.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await sql`delete from event`.execute(tenant.db)
  await sql`update ${members()} set dateunjoin = null`.execute(tenant.db)
})

describe('open, click and view', () => {
  it('responds to an open with an image and logs it with its verdict', async () => {
    const answer = await get(`/t/o/${tokenOf(1)}.gif`)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store, private',
    })
    expect(await events(1)).toMatchObject([
      {
        type: 'open',
        member_id: 1,
        member_table_id: tenant.memberTableId,
        campagne_id: campaign.campaignId,
        email: 'ann@gmx.test',
        verdict: 'human',
        device: 'desktop',
        ip: '127.0.0.1',
      },
    ])
  })

  it('returns the image for an invalid token too, and logs nothing', async () => {
    const answer = await get('/t/o/bm9uZQ.gif')
    expect(answer.statusCode).toBe(200)
    await get(`/t/o/${tokenOf(1)}.gif`)
    expect(await events(1)).toHaveLength(1)
  })

  it('redirects a click to the link of the table, filled in for the recipient', async () => {
    expect((await get(`/t/c/${tokenOf(2)}/0`)).headers.location).toBe('https://shop.example/offer?c=2')
    expect((await get(`/t/c/${tokenOf(2)}/1`)).headers.location).toBe('https://shop.example/')
    expect(await events(2)).toMatchObject([
      { type: 'click', link_index: 0, member_id: 2 },
      { type: 'click', link_index: 1, member_id: 2 },
    ])
  })

  it('shows no page for a token of the open pixel, a click or the return path', async () => {
    for (const purpose of ['tracking', 'return'] as const) {
      const token = tokenOf(1, {}, purpose)
      for (const path of [`/u/${token}`, `/u/${token}/preferences`, `/t/b/${token}`])
        expect((await get(path)).statusCode).toBe(404)
      expect((await post(`/u/${token}`, 'List-Unsubscribe=One-Click')).statusCode).toBe(404)
    }
    expect((await get(`/t/c/${tokenOf(1, {}, 'return')}/1`)).statusCode).toBe(404)
    expect((await get(`/t/c/${tokenOf(1, {}, 'tracking')}/1`)).statusCode).toBe(302)
    const view = await get(`/t/b/${tokenOf(1)}`)
    expect(view.body).not.toContain(`/t/o/${tokenOf(1)}`)
    await events(2)
  })

  it('does not count opens and clicks of a message sent more than two years ago', async () => {
    await sql`update delivery set recorded_at = now() - interval '3 years' where member_id = 3`.execute(
      tenant.db,
    )
    await get(`/t/o/${tokenOf(3)}.gif`)
    expect((await get(`/t/c/${tokenOf(3)}/1`)).statusCode).toBe(302)
    await get(`/t/o/${tokenOf(2)}.gif`)
    expect(await events(1)).toMatchObject([{ type: 'open', member_id: 2 }])
  })

  it('shows the host before redirecting to one of the recipient’s data', async () => {
    const personal = await addCampaign(tenant)
    await sql`
      update campaign c set snapshot = jsonb_set(o.snapshot, '{links,0,url}', '"{{ member.firstname }}"')
      from campaign o
      where c.campagne_id = ${personal.campaignId} and o.campagne_id = ${campaign.campaignId}`.execute(
      tenant.db,
    )
    const members = sql.id('members', `t${tenant.memberTableId}`)
    const follow = async (address: string) => {
      await sql`update ${members} set firstname = ${address} where member_id = 2`.execute(tenant.db)
      return get(`/t/c/${tokenOf(2, { campaignId: personal.campaignId })}/0`)
    }
    const page = await follow('https://evil.example/?a="b"')
    expect(page.statusCode).toBe(200)
    expect(page.headers.location).toBeUndefined()
    expect(page.body).toContain('<strong>evil.example</strong>')
    expect(page.body).toContain('href="https://evil.example/?a=%22b%22"')
    const own = await follow('https://shop.sender.test/a')
    expect([own.statusCode, own.headers.location]).toEqual([302, 'https://shop.sender.test/a'])
    for (const address of ['javascript:alert(1)', 'https://shop.sender.test@evil.example', ''])
      expect((await follow(address)).statusCode).toBe(404)
    await sql`update ${members} set firstname = 'Ann 2' where member_id = 2`.execute(tenant.db)
    await events(2)
  })

  it.each([
    ['an unknown link', () => `/t/c/${tokenOf(1)}/99`],
    ['text instead of an index', () => `/t/c/${tokenOf(1)}/https:%2F%2Fevil.example`],
    ['a changed token', () => `/t/c/${tokenOf(1).slice(0, -2)}aa/0`],
    ['another campaign', () => `/t/c/${tokenOf(1, { campaignId: 9_999 })}/0`],
    ['another client', () => `/t/c/${tokenOf(1, { clientId: 9_999 })}/0`],
    ['a token for another purpose', () => `/t/c/${tokenOf(1, { kind: 'doi' })}/0`],
    ['an invalid path', () => '/wp-login.php'],
  ])('never redirects elsewhere: %s', async (_, path) => {
    const answer = await get(path())
    expect(answer.statusCode).toBe(404)
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toMatch(/no longer works/)
  })

  it('detects a scanner by simultaneous clicks on links, including the first one', async () => {
    await sql`update delivery set recorded_at = now() - interval '5 s' where member_id = 3`.execute(tenant.db)
    await atOnce(async () => {
      await get(`/t/c/${tokenOf(3)}/0`)
      await get(`/t/c/${tokenOf(3)}/1`)
    })
    const reason = { verdict: 'scanner', verdict_reason: 'links_at_delivery' }
    expect(await events(2)).toMatchObject([
      { link_index: 0, ...reason },
      { link_index: 1, ...reason },
    ])
  })

  it('detects a filter by simultaneous opens of many messages from one address', async () => {
    await atOnce(async () => {
      for (let memberId = 1; memberId <= 10; memberId++) await openFor(memberId, '8.8.4.4')
      await openFor(1, '9.9.9.9')
    })
    const found = await events(11)
    expect(found.filter(event => event.ip === '8.8.4.4').map(event => event.verdict_reason)).toEqual(
      Array.from({ length: 10 }, () => 'many_mails'),
    )
    expect(found.find(event => event.ip === '9.9.9.9')).toMatchObject({ verdict: 'human' })
  })

  it('stores an event whose address is forged', async () => {
    await get(`/t/o/${tokenOf(1)}.gif`, { 'x-forwarded-for': "1.2.3'; drop" })
    expect(await events(1)).toMatchObject([{ type: 'open', ip: null }])
  })

  it('does not count tests and seeds, whose links work', async () => {
    const seed = tokenOf(1, { kind: 'test' })
    expect((await get(`/t/c/${seed}/1`)).statusCode).toBe(302)
    expect((await get(`/t/c/${seed}/0`)).headers.location).toBe('https://shop.example/offer?c=')
    await get(`/t/o/${tokenOf(2)}.gif`)
    expect(await events(1)).toMatchObject([{ member_id: 2 }])
  })

  it('shows the message as a page without active content', async () => {
    const answer = await get(`/t/b/${tokenOf(1)}`)
    expect(answer.body).toMatch(/Hello Ann 1/)
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox /)
    expect(answer.headers['content-security-policy']).not.toMatch(/allow-scripts|allow-same-origin/)
    expect(await events(1)).toMatchObject([{ type: 'view' }])
  })

  it('loses nothing at shutdown', async () => {
    await Promise.all(Array.from({ length: 50 }, () => get(`/t/o/${tokenOf(1)}.gif`)))
    await tracking.close()
    const { rows } = await sql<{ count: number }>`select count(*) as count from event`.execute(tenant.db)
    expect(rows[0]?.count).toBe(50)
    tracking = await openTestTracking(database, folder)
  })
})

describe('unsubscribe', () => {
  it('shows a page for GET and HEAD and changes nothing', async () => {
    const page = await get(`/u/${tokenOf(1)}`)
    expect(page.statusCode).toBe(200)
    expect(page.body).toMatch(/Unsubscribe <strong>[^<]+<\/strong> from Shop Größe\?/)
    expect(page.body).not.toMatch(/<script/)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/)
    expect((await tracking.app.inject({ method: 'HEAD', url: `/u/${tokenOf(1)}` })).statusCode).toBe(200)
    expect(await unsubscribed()).toEqual([])
  })

  it.each([
    ['one-click', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'one-click',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
    ],
    ['page', 'application/x-www-form-urlencoded', 'action=unsubscribe'],
  ])('unsubscribes that member at once, and no other: %s as %s', async (source, type, payload) => {
    const url = `/u/${tokenOf(2)}`
    const answer = await tracking.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': type },
      payload,
    })
    expect(answer.statusCode).toBe(200)
    await tracking.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
    expect(await unsubscribed()).toEqual([2])
    expect(await events(1)).toMatchObject([
      { type: 'unsubscribe', source, member_id: 2, campagne_id: campaign.campaignId },
    ])
  })

  it.each([
    ['no body and no type', {}, undefined],
    ['a body without type', {}, 'List-Unsubscribe=One-Click'],
    ['JSON', { 'content-type': 'application/json' }, '{"List-Unsubscribe":"One-Click"}'],
  ])('POST unsubscribes, whatever comes with it: %s', async (_, headers, payload) => {
    const url = `/u/${tokenOf(2)}`
    expect((await tracking.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
    expect(await unsubscribed()).toEqual([2])
  })

  it.each([
    ['signed for another purpose', () => tokenOf(2, { kind: 'doi' })],
    ['of a message without campaign', () => tokenOf(2, { kind: 'transactional' })],
    ['of another client', () => tokenOf(2, { clientId: campaign.clientId + 1 })],
    ['of a missing member', () => tokenOf(2 ** 48 - 1)],
    ['of a missing campaign', () => tokenOf(2, { campaignId: 2 ** 32 - 1 })],
    ['truncated', () => tokenOf(2).slice(0, -1)],
    ['in an alternative spelling', () => `${tokenOf(2).slice(0, -1)}${tokenOf(2).endsWith('A') ? 'B' : 'A'}`],
    ['of excessive length', () => 'A'.repeat(490)],
    ['with a NUL', () => `${tokenOf(2)}%00`],
    ['with a path', () => `..%2f${tokenOf(2)}`],
  ])('has no effect for a token %s', async (_, token) => {
    for (const path of ['', '/preferences']) {
      expect((await post(`/u/${token()}${path}`, 'action=unsubscribe')).statusCode).toBe(404)
      expect((await get(`/u/${token()}${path}`)).statusCode).toBe(404)
    }
    expect(await unsubscribed()).toEqual([])
  })

  it('undoes a mistake', async () => {
    await post(`/u/${tokenOf(2)}`, 'action=unsubscribe')
    await post(`/u/${tokenOf(2)}/preferences`, 'action=subscribe')
    expect(await unsubscribed()).toEqual([])
    expect((await events(2)).map(event => event.type)).toEqual(['unsubscribe', 'join'])
  })

  it('confirms with the shipped page, which subscribes again', async () => {
    const page = await post(`/u/${tokenOf(2)}`, 'action=unsubscribe')
    expect(page.body).toContain('ben@gmx.test will get no more emails from Shop Größe.')
    expect(page.body).toContain(`<form method="post" action="/u/${tokenOf(2)}/preferences">`)
    expect(page.body).toContain('name="action" value="subscribe"')
  })

  it('R190 shows the client’s own pages, without letting them run anything', async () => {
    await addOwnPage(
      'page_unsub',
      `<meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/">
      <script>document.title = 'ran'</script><img src="x" onerror="alert(1)">
      <p>Bye {{ member.email }}, {{ member.firstname | raw }}</p><a href="{{ link.preferences }}">Back</a>`,
    )
    await addOwnPage('page_error', '<p>Own error of {{ client.name }}</p>')
    await sql`update ${members()} set firstname = '<b>x</b>' where member_id = 2`.execute(tenant.db)
    const page = await post(`/u/${tokenOf(2)}`, 'action=unsubscribe')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`Bye ben@gmx.test, </p><a href="/u/${tokenOf(2)}/preferences">`)
    const missing = await get(`/u/${tokenOf(2, { campaignId: 2 ** 32 - 1 })}`)
    expect({ status: missing.statusCode, body: missing.body }).toMatchObject({
      status: 404,
      body: expect.stringContaining('Own error of Shop Größe'),
    })
    for (const { headers } of [page, missing]) {
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/^sandbox allow-forms /)
      expect(policy).not.toMatch(/allow-scripts|allow-same-origin|allow-top|script-src|http:|\*/)
      for (const rule of [
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        expect(policy).toContain(rule)
      expect(headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store, private',
      })
    }
    const unknown = await get('/u/bm9uZQ')
    expect(unknown.body).toContain('This link no longer works')
    expect(unknown.body).not.toContain('Own error')
  })

  it('R190 shows the shipped page while the own one cannot be rendered', async () => {
    await addOwnPage('page_unsub', '{{ module.missing }} {{ link.preferences }}')
    const page = await post(`/u/${tokenOf(2)}`, 'action=unsubscribe')
    expect(page.body).toContain('You are unsubscribed')
  })

  it('changes nothing for a test message, and says so', async () => {
    const url = `/u/${tokenOf(2, { kind: 'test' })}`
    expect((await get(url)).body).toMatch(/test email/)
    expect((await post(url, 'action=unsubscribe')).statusCode).toBe(200)
    expect(await unsubscribed()).toEqual([])
  })

  it('applies to the member with the address if the recipient was deleted and added again', async () => {
    await sql`update ${members()} set member_id = 200 where member_id = 2`.execute(tenant.db)
    onTestFinished(async () => {
      await sql`update ${members()} set member_id = 2 where member_id = 200`.execute(tenant.db)
    })
    expect((await get(`/u/${tokenOf(2)}`)).body).toMatch(/Unsubscribe <strong>/)
    expect((await post(`/u/${tokenOf(2)}`, 'List-Unsubscribe=One-Click')).statusCode).toBe(200)
    expect(await unsubscribed()).toEqual([200])
    expect(await events(1)).toMatchObject([{ type: 'unsubscribe', email: 'ben@gmx.test' }])
    await post(`/u/${tokenOf(2)}/preferences`, 'action=subscribe')
    expect(await unsubscribed()).toEqual([])
  })

  it('stores the unsubscribe of a deleted recipient for the next import', async () => {
    await sql`update ${members()} set email = 'other@gmx.test', member_id = 200 where member_id = 2`.execute(
      tenant.db,
    )
    onTestFinished(async () => {
      await sql`update ${members()} set email = 'ben@gmx.test', member_id = 2 where member_id = 200`.execute(
        tenant.db,
      )
      await sql`delete from member_opt_out`.execute(tenant.db)
    })
    const optedOut = () =>
      tenant.db
        .selectFrom('member_opt_out')
        .select('member_table_id')
        .where('unsubscribed_at', 'is not', null)
        .execute()
    await post(`/u/${tokenOf(2)}`, 'action=unsubscribe')
    await post(`/u/${tokenOf(2)}`, 'action=unsubscribe')
    expect(await optedOut()).toHaveLength(1)
    expect((await get(`/u/${tokenOf(2)}`)).body).toMatch(/[Uu]nsubscribed/)
    expect(await unsubscribed()).toEqual([])
    await post(`/u/${tokenOf(2)}/preferences`, 'action=subscribe')
    expect(await optedOut()).toEqual([])
    expect((await events(2)).map(event => event.type)).toEqual(['unsubscribe', 'join'])
  })

  it.each([
    ['the row', () => `select from members.t${tenant.memberTableId} where member_id = 2 for update`],
    ['the datasource', () => `lock table members.t${tenant.memberTableId} in access exclusive mode`],
  ])('responds while an import locks %s, and applies afterwards', async (_, statement) => {
    const client = await database.pool.connect()
    onTestFinished(() => client.release())
    await client.query('begin')
    await client.query(statement())
    const answer = await post(`/u/${tokenOf(2)}`, 'List-Unsubscribe=One-Click')
    expect(answer.statusCode).toBe(200)
    await post(`/u/${tokenOf(2)}`, 'List-Unsubscribe=One-Click')
    expect((await get(`/u/${tokenOf(2)}/preferences`)).statusCode).toBe(200)
    await client.query('rollback')
    await followEvents(tenant.db)
    expect(await unsubscribed()).toEqual([2])
    expect(await events(1)).toMatchObject([{ type: 'unsubscribe', member_id: 2, email: 'ben@gmx.test' }])
  })

  it('writes each change to the audit log', async () => {
    await post(`/u/${tokenOf(2)}`, 'action=unsubscribe')
    await post(`/u/${tokenOf(2)}/preferences`, 'action=subscribe')
    const logged = await tenant.db
      .selectFrom('change_log')
      .select(['action', 'object_id', 'user_id'])
      .where('object', '=', 'member')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(logged.toReversed()).toMatchObject([
      { action: 'unsubscribe', object_id: 2 },
      { action: 'resubscribe', object_id: 2 },
    ])
  })

  it('uses the language of the message', async () => {
    await sql`update campaign set snapshot = jsonb_set(snapshot, '{message,language}', '"de"')`.execute(
      tenant.db,
    )
    const german = await addCampaign(tenant)
    await sql`
      update campaign c set snapshot = o.snapshot from campaign o
      where c.campagne_id = ${german.campaignId} and o.campagne_id = ${campaign.campaignId}`.execute(
      tenant.db,
    )
    const page = await get(`/u/${tokenOf(1, { campaignId: german.campaignId })}`)
    expect(page.body).toMatch(/<html lang="de">[\s\S]*Abmelden/)
  })

  it('escapes names', async () => {
    await sql`update member_table set name = '<b>Customers'`.execute(tenant.db)
    const page = await get(`/u/${tokenOf(1)}/preferences`)
    expect(page.body).toMatch(/&lt;b&gt;Customers/)
  })
})

describe('preferences', () => {
  it('saves datasources and frequency, which the next campaign respects', async () => {
    const url = `/u/${tokenOf(3)}/preferences`
    const saved = await post(url, `action=save&list=${tenant.memberTableId}&frequency=week`)
    expect(saved.body).toMatch(/Saved/)
    expect(await unsubscribed()).toEqual([])
    expect((await get(url)).body).toMatch(/value="week" checked/)
    await sql`update delivery set recorded_at = now()`.execute(tenant.db)
    const next = await addCampaign(tenant)
    expect(await expandCampaign(tenant.db, next, testExpansion)).toEqual({ volume: 2, skipped: 1 })
    await post(url, 'action=save&frequency=all')
    expect(await unsubscribed()).toEqual([3])
  })

  it('a pause holds for the next campaign, and for mails of one that is being sent, until it is ended', async () => {
    const url = `/u/${tokenOf(3)}/preferences`
    const saved = (pause: string) =>
      post(url, `action=save&list=${tenant.memberTableId}&frequency=all&pause=${encodeURIComponent(pause)}`)
    expect((await saved('4')).body).toMatch(/<option value="" selected>Paused until /)
    expect((await saved('')).body).toMatch(/Paused until /)
    expect((await saved("9'<b>")).body).toMatch(/Paused until /)
    const next = await addCampaign(tenant)
    expect(await expandCampaign(tenant.db, next, testExpansion)).toEqual({ volume: 2, skipped: 1 })
    const source = { memberTableId: tenant.memberTableId, blacklistIds: [], columns: ['email'] }
    const row = { ...next, memberId: 3, email: 'cat@gmx.test', providerId: 0, attempts: 1 }
    const read = () => readRecipients(tenant.db, tenant.clientId, source, [row])
    expect(await read()).toMatchObject([{ skip: 'capping' }])
    expect((await saved('0')).body).toMatch(/<option value="0" selected>/)
    expect(await read()).toMatchObject([{ member: { email: 'cat@gmx.test' } }])
    const { rows } = await sql<{ weeks: number }>`
      select (details ->> 'pause_weeks')::int as weeks from event where source = 'preferences' and type = 'edit'
      order by ts, event_id`.execute(tenant.db)
    expect(rows.map(({ weeks }) => weeks)).toEqual([4, 0])
  })
})

function tokenOf(memberId: number, other: Partial<Token> = {}, purpose: TokenPurpose = 'page'): string {
  return signToken(trackingKey, { kind: 'campaign', ...campaign, memberId, ...other }, purpose)
}

/** With a frozen clock. */
async function atOnce(hit: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await hit()
  } finally {
    vi.useRealTimers()
  }
}

function openFor(memberId: number, address: string) {
  return get(`/t/o/${tokenOf(memberId)}.gif`, { 'x-forwarded-for': address })
}

function get(url: string, headers: Record<string, string> = {}) {
  return tracking.app.inject({ method: 'GET', url, headers: { 'user-agent': HUMAN, ...headers } })
}

function post(url: string, payload: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return tracking.app.inject({ method: 'POST', url, headers, payload })
}

async function addOwnPage(process: 'page_unsub' | 'page_error', body_long: string) {
  const own = { client_id: tenant.clientId, name: process, process, lang: 'en', body_long, is_default: true }
  await tenant.db.insertInto('pmt').values(own).execute()
  onTestFinished(async () => {
    await tenant.db.deleteFrom('pmt').execute()
  })
}

function members() {
  return sql.id('members', `t${tenant.memberTableId}`)
}

async function unsubscribed(): Promise<number[]> {
  const { rows } = await sql<{ member_id: number }>`
    select member_id from ${members()} where dateunjoin is not null order by 1`.execute(tenant.db)
  return rows.map(row => row.member_id)
}

/** Returns the events once that many are stored. */
async function events(count: number) {
  const read = () => tenant.db.selectFrom('event').selectAll().orderBy('ts').orderBy('event_id').execute()
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count)
  return read()
}
