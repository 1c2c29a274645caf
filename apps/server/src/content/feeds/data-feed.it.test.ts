import { once } from 'node:events'
import { createServer } from 'node:http'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { sealSecret } from '@emma/core/deliverability/secret-box.ts'
import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase } from '@emma/db/test/database.ts'
import { countLedger, startLab, testEngine, validOf } from '@emma/delivery/test/engine.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PERSONAL_DATA_LIMITS } from '../../network/limits.ts'
import { feedFetcher } from './fetch-feed.ts'

const key = Buffer.alloc(32, 9)

async function startShop() {
  const calls: (string | undefined)[] = []
  const server = createServer(({ headers }, response) => {
    calls.push(headers.authorization)
    response.end(
      JSON.stringify({ offer: 'Boats <7 €', products: [{ name: 'Dinghy', url: 'https://shop.test/d' }] }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { calls, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/offer` }
}

test('a campaign fetches its data once, and every mail shows it', async () => {
  const shop = await startShop()
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const tenant = await createTestTenant(db, ['ann@gmx.test', 'ben@gmx.test'])
  const own = { client_id: tenant.clientId }
  await db
    .insertInto('placeholder')
    .values({
      ...own,
      name: 'Shop',
      token: 'shop',
      type: 'data',
      body: '{}',
      feed_url: shop.url,
      feed_header: 'Authorization',
      feed_secret: sealSecret(key, 'Bearer shop key'),
    })
    .execute()
  await db
    .updateTable('message')
    .set({
      body_long: `<p>{{ member.firstname }}: {{ data.shop.offer }}</p>
        {% for one in data.shop.products %}<a href="{{ one.url }}">{{ one.name }}</a>{% endfor %}
        <a href="{{ link.unsubscribe }}">Unsubscribe</a>`,
    })
    .where('client_id', '=', tenant.clientId)
    .execute()
  const lab = await startLab(db)
  onTestFinished(() => lab.stop())
  const engine = await testEngine(database, lab.port, { fetchFeed: feedFetcher(key, 'loopback') })
  onTestFinished(() => engine.stop())
  const { campaignId } = await addCampaign(tenant)
  await expect.poll(() => validOf(db, campaignId)).toBe(campaignState.finished)
  expect(shop.calls).toEqual(['Bearer shop key'])
  const mailboxes = openMailboxes(lab.folder)
  const { rows } = mailboxes.listMessages({ limit: 10 })
  expect(rows).toHaveLength(2)
  for (const { id } of rows) {
    const mail = await mailboxes.getMessage(id)
    expect(mail?.html).toMatch(/Ann \d: Boats &lt;7 €/)
    expect(mail?.html).toMatch(/<a href="http:\/\/localhost:9\/[^"]+">Dinghy<\/a>/)
    expect(mail?.source).not.toContain('shop key')
  }
  const { snapshot } = await db
    .selectFrom('campaign')
    .select('snapshot')
    .where('client_id', '=', tenant.clientId)
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(snapshot)).not.toContain('shop key')
})

test('data is fetched for each recipient: tried again if it may be there later, and skipped without', async () => {
  const calls: string[] = []
  const server = createServer(({ url = '' }, response) => {
    calls.push(url)
    if (url.endsWith('cara%40gmx.test') && calls.filter(one => one === url).length === 1)
      return response.writeHead(503).end()
    if (url.endsWith('ben%40gmx.test')) return response.end('<html>Log in</html>')
    response.end(JSON.stringify({ points: `points of ${url.slice(-15)}`, link: 'https://shop.test/own' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const tenant = await createTestTenant(db, ['ann@gmx.test', 'ben@gmx.test', 'cara@gmx.test'])
  await db
    .insertInto('placeholder')
    .values({
      client_id: tenant.clientId,
      name: 'Points',
      token: 'points',
      type: 'data',
      body: '{}',
      feed_scope: 'member',
      feed_if_empty: 'skip',
      feed_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/?of={{ member.email }}`,
    })
    .execute()
  await db
    .updateTable('message')
    .set({
      body_long:
        '<p>{{ data.points.points }} <a href="{{ data.points.link }}">own</a> {{ link.unsubscribe }}</p>',
    })
    .where('client_id', '=', tenant.clientId)
    .execute()
  const lab = await startLab(db)
  onTestFinished(() => lab.stop())
  const fetchPersonal = feedFetcher(key, 'loopback', PERSONAL_DATA_LIMITS)
  const engine = await testEngine(database, lab.port, { fetchPersonal })
  onTestFinished(() => engine.stop())
  const { campaignId } = await addCampaign(tenant)
  await expect.poll(() => validOf(db, campaignId)).toBe(campaignState.finished)
  expect(await countLedger(db, campaignId)).toEqual({ sent: 2, no_data: 1 })
  expect(calls.filter(url => url.includes('cara'))).toHaveLength(2)
  const mailboxes = openMailboxes(lab.folder)
  const { rows } = mailboxes.listMessages({ limit: 10 })
  const mails = await Promise.all(rows.map(({ id }) => mailboxes.getMessage(id)))
  for (const mail of mails) {
    expect(mail?.html).toMatch(/points of [^<]*(?:ann|cara)%40gmx.test/)
    // Nobody has the address of the link when it is clicked.
    expect(mail?.html).toContain('<a href="https://shop.test/own">own</a>')
  }
  expect(new Set(mails.map(mail => /points of [^<]*test/.exec(mail?.html ?? '')?.[0])).size).toBe(2)
})
