import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestConfirmation } from '@emma/core/audience/double-opt-in.ts'
import { createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandProcessMails, listProcessMails } from '@emma/delivery/1-expand/expand-process-mails.ts'
import { signToken, type TokenKind } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTracking, type TestTracking, trackingKey } from '../test/tracking-server.ts'

let database: TestDatabase
let tenant: TestTenant
let tracking: TestTracking
const folder = mkdtempSync(join(tmpdir(), 'emma-confirmations-'))

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, [
    'ann@gmx.test',
    'ben@gmx.test',
    'cat@gmx.test',
    'dan@gmx.test',
  ])
  tracking = await openTestTracking(database, folder)
})
afterAll(async () => {
  await tracking.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Requests the confirmation of a member, and returns the path of its link. */
async function linkOf(memberId: number, kind: TokenKind = 'doi', formId?: number): Promise<string> {
  const { db, clientId: client_id, memberTableId: member_table_id } = tenant
  const table = { client_id, member_table_id }
  await requestConfirmation(db, { table, memberId, source: 'form', isNew: true, lang: 'de', formId })
  for (const group of await listProcessMails(db))
    await expandProcessMails(db, group, () => 'http://localhost')
  const mail = await db
    .selectFrom('process_mail')
    .select('campagne_id')
    .where('member_id', '=', memberId)
    .where('process', '=', 'doi_request')
    .executeTakeFirstOrThrow()
  const token = { kind, clientId: client_id, campaignId: mail.campagne_id ?? 0, memberId }
  return `/u/${signToken(trackingKey, token, 'page')}/confirm`
}

async function stateOf(memberId: number): Promise<string | undefined> {
  const { rows } = await sql<{ doi_state: string }>`
    select doi_state from ${sql.id('members', `t${tenant.memberTableId}`)} where member_id = ${memberId}`.execute(
    tenant.db,
  )
  return rows[0]?.doi_state
}

function get(url: string, method: 'GET' | 'HEAD' = 'GET') {
  return tracking.app.inject({ method, url })
}

function post(url: string, payload = 'action=confirm') {
  return tracking.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Phone/2.0' },
  })
}

it('R276 opening the link changes nothing; the button confirms once', async () => {
  const link = await linkOf(1)
  for (const method of ['GET', 'HEAD', 'GET'] as const) expect((await get(link, method)).statusCode).toBe(200)
  const page = await get(link)
  expect(page.body).toContain('<html lang="de">')
  expect(page.body).toContain('ann@gmx.test')
  expect(page.headers['cache-control']).toBe('no-store, private')
  expect(await stateOf(1)).toBe('pending')
  const thanks = await post(link)
  expect(thanks.statusCode).toBe(200)
  expect(thanks.body).toContain('Vielen Dank')
  expect(await stateOf(1)).toBe('confirmed')
  for (const again of [await post(link), await get(link)]) expect(again.body).toContain('Bereits bestätigt')
})

it('R237 a confirmation leads to the page of the form, which the policy of the question allows', async () => {
  const { db, clientId: client_id, memberTableId: member_table_id } = tenant
  const { domain_id } = await db.selectFrom('domain').select('domain_id').executeTakeFirstOrThrow()
  const form = { client_id, member_table_id, domain_id, name: 'Form', fields: '[]', hash: 'x' }
  const { webform_id: formId } = await db
    .insertInto('webform')
    .values({ ...form, confirmed_url: 'https://shop.example/welcome' })
    .returning('webform_id')
    .executeTakeFirstOrThrow()
  const link = await linkOf(4, 'doi', formId)
  const page = await get(link)
  expect(page.headers['content-security-policy']).toContain("form-action 'self' https://shop.example;")
  const confirmed = await post(
    `${link}?confirmed_url=https://evil.example`,
    'action=confirm&confirmed_url=https://evil.example',
  )
  expect([confirmed.statusCode, confirmed.headers.location]).toEqual([303, 'https://shop.example/welcome'])
  expect((await post(link)).body).toContain('Bereits bestätigt')
})

it('an expired link offers a new one, once an hour, and confirms nothing', async () => {
  const link = await linkOf(2)
  await sql`
    update doi_request set requested_at = requested_at - interval '15 days', expires_at = now()
    where member_id = 2`.execute(tenant.db)
  expect((await get(link)).body).toContain('Dieser Link ist abgelaufen')
  expect((await post(link)).body).toContain('Dieser Link ist abgelaufen')
  expect(await stateOf(2)).toBe('pending')
  const answers = [await post(link, 'action=renew'), await post(link, 'action=renew')]
  expect(new Set(answers.map(answer => answer.body)).size).toBe(1)
  const { rows } = await sql`select from doi_request where member_id = 2`.execute(tenant.db)
  expect(rows).toHaveLength(2)
})

it('no other link confirms, and the link of a request opens no other page', async () => {
  const link = await linkOf(3)
  const foreign = link.replace(/\/u\/[^/]+/, `/u/${signToken(trackingKey, token(999_999), 'page')}`)
  const tampered = link.replace(/^\/u\/./, start => (start === '/u/B' ? '/u/C' : '/u/B'))
  for (const path of [await linkOf(3, 'campaign'), foreign, tampered, '/u/none/confirm', '/u/..%2f/confirm'])
    for (const answer of [await get(path), await post(path)]) expect(answer.statusCode).toBe(404)
  expect(await stateOf(3)).toBe('pending')
  const start = link.replace('/confirm', '')
  for (const path of [start, `${start}/preferences`]) {
    expect((await get(path)).statusCode).toBe(404)
    expect((await post(path, 'action=unsubscribe')).statusCode).toBe(404)
  }
  expect((await post(link, 'x'.repeat(10_000_000))).statusCode).toBe(413)
})

function token(campaignId: number) {
  return { kind: 'doi', clientId: tenant.clientId, campaignId, memberId: 3 } as const
}
