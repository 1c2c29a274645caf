import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient } from '../test/fixtures.ts'
import { measureHttp } from './http-metrics.ts'
import { serveMetrics } from './metrics-socket.ts'
import { processMetrics } from './process-metrics.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const scrape = (of: TestApp, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  of.app.inject({ url: '/metrics', headers, remoteAddress })

test('contains campaigns by state, deliveries, the log, and live processes of the installation', async () => {
  const superadmin = await app.logInSuperadmin()
  const { clientId, ids } = await addTestClient(app, superadmin)
  const campagne_id = ids.campaign ?? 0
  await app.db.updateTable('campaign').set({ valid: 2 }).where('campagne_id', '=', campagne_id).execute()
  const row = { client_id: clientId, campagne_id, email: 'a@example.test' }
  await app.db
    .insertInto('delivery')
    .values([
      { ...row, member_id: 1, state: 'sent' },
      { ...row, member_id: 2, state: 'sent' },
      { ...row, member_id: 3, state: 'claimed' },
    ])
    .execute()
  const { body, headers, statusCode } = await scrape(app)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toContain('text/plain')
  expect(body).toContain('emma_campaigns{state="2"} 1')
  expect(body).toContain('emma_deliveries{state="sent"} 2')
  expect(body).toContain('emma_deliveries{state="claimed"} 1')
  expect(body).toMatch(/# TYPE emma_events_lag_seconds gauge/)
})

test('contains every role, with route templates', async () => {
  const logger = createLogger('test', 'silent')
  const tracking = processMetrics('tracking', app.pool)
  const site = fastify()
  measureHttp(site, tracking)
  site.get('/o/:token', async () => 'ok')
  await site.inject('/o/one')
  await site.inject('/o/two')
  await site.inject('/nobody/knows/this')
  const told = [
    await serveMetrics(app.config, 'tracking', tracking, logger),
    await serveMetrics(app.config, 'engine', processMetrics('engine', app.pool), logger),
  ]
  const { body } = await scrape(app)
  expect(body).toMatch(
    /emma_http_request_duration_seconds_count\{(?=.*route="\/o\/:token")(?=.*status="200")(?=.*role="tracking").*\} 2/,
  )
  expect(body).not.toContain('knows')
  for (const role of ['tracking', 'engine'])
    expect(body).toMatch(new RegExp(`process_resident_memory_bytes\\{role="${role}"\\} \\d+`))
  expect(body.match(/# TYPE process_resident_memory_bytes/g)).toHaveLength(1)
  for (const each of told) await each.stop()
  expect((await scrape(app)).body).not.toContain('role="engine"')
})

test('is not readable from other machines, nor through a proxy', async () => {
  for (const answer of [
    await scrape(app, {}, '203.0.113.7'),
    await scrape(app, { 'x-forwarded-for': '127.0.0.1' }),
    await scrape(app, { via: '1.1 proxy' }),
  ])
    expect(answer.statusCode).toBe(404)
  expect((await scrape(app, {}, '::1')).statusCode).toBe(200)
})

test('with a token it is readable only with that token', async () => {
  const guarded = await startTestApp({ EMMA_METRICS_TOKEN: 'a token for the watcher' })
  const bring = (token: string) => scrape(guarded, { authorization: `Bearer ${token}` }, '203.0.113.7')
  expect((await scrape(guarded)).statusCode).toBe(404)
  expect((await bring('another token, wrong')).statusCode).toBe(404)
  expect((await bring('a token for the watcher')).statusCode).toBe(200)
  await guarded.close()
})
