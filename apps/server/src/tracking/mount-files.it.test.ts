import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { purgeFiles } from '@emma/core/files/read-files.ts'
import { contentKey, thumbnailKey } from '@emma/core/files/store-file.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from '../files/disk-storage.ts'
import { mountFiles } from './mount-files.ts'
import { createProcessPages } from './process-pages.ts'

/** Public URLs of files: caching, ranges, the bin, and what must not be found. */

let database: TestDatabase
let folder: string
let app: FastifyInstance
let client: number
let stored = 0

const bytes = Buffer.from('0123456789')

beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'emma-files-'))
  app = fastify({ routerOptions: { maxParamLength: 500 } })
  const pages = createProcessPages(database.db)
  app.setNotFoundHandler((request, reply) => pages.sendGone(request, reply))
  mountFiles(app, database.db, diskStorage(folder))
  const made = await database.db
    .insertInto('client')
    .values({ name: 'Shop' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  client = made.client_id
})
afterAll(async () => {
  await app.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Stores a file; `deletedDays`: since when it is in the bin. */
async function store(deletedDays: number | null = null): Promise<{ name: string; url: string }> {
  stored += 1
  const name = String(stored).padStart(22, 'n')
  const file = { client_id: client, public_name: name }
  await sql`
    insert into file (client_id, folder, name, public_name, mime_type, size, sha256, has_thumbnail, deleted_at)
    values (${client}, '/', ${`${name}.png`}, ${name}, 'image/png', ${bytes.length}, sha256(${bytes}), true,
      ${deletedDays === null ? null : sql`now() - make_interval(days => ${deletedDays})`})`.execute(
    database.db,
  )
  const source = join(folder, 'source')
  writeFileSync(source, bytes)
  await diskStorage(folder).put(contentKey(file), source, 'image/png')
  await diskStorage(folder).put(thumbnailKey(file), source, 'image/webp')
  return { name, url: `/files/${client}/${name}.png` }
}

function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return app.inject({ method, url, headers })
}

describe('public files', () => {
  test('are served with their type, cached for ever, and run nothing', async () => {
    const { url } = await store()
    const answer = await get(url)
    expect([answer.statusCode, answer.body]).toEqual([200, '0123456789'])
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
    })
    const etag = String(answer.headers.etag)
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect((await get(url, { 'if-none-match': condition })).statusCode).toBe(304)
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    const head = await get(url, {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10'])
    const thumbnail = await get(url.replace('.png', '.thumb.webp'))
    expect([thumbnail.statusCode, thumbnail.headers['content-type']]).toEqual([200, 'image/webp'])
  })

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-999', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-999999999', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=999999999999999-', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    [`bytes=${'0-1,'.repeat(1_000)}0-1`, 200, '0123456789', undefined],
    ['bytes=99999999999999999999-', 200, '0123456789', undefined],
    ['bytes=1e1-', 200, '0123456789', undefined],
    ['lines=0-1', 200, '0123456789', undefined],
  ])('the range %s gives %i', async (range, status, text, contentRange) => {
    const { url } = await store()
    const answer = await get(url, { range })
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([
      status,
      text,
      contentRange,
    ])
    expect((await get(url, { range, 'if-range': '"other"' })).body).toBe('0123456789')
  })

  test('another client, another extension and paths of the disk are not found', async () => {
    const { name, url } = await store()
    const wrong = [
      `/files/${client + 1}/${name}.png`,
      `/files/0${client}0/${name}.png`,
      `/files/99999999999999999999/${name}.png`,
      url.replace('.png', '.gif'),
      url.replace('.png', '.svg'),
      url.replace('.png', '.html'),
      url.replace('.png', ''),
      `${url}/../../../secret.key`,
      `/files/${client}/..%2f..%2fsecret.key`,
      `/files/${client}/%00${name}.png`,
      `/files/${client}/${name.toUpperCase()}.png`,
      `/files/${client}/%25.png`,
      `/files/${client}/`,
      '/files/',
    ]
    for (const path of wrong) {
      const answer = await get(path)
      expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([
        path,
        404,
        'no-store, private',
      ])
    }
  })

  test('deleted files are served until 30 days have passed and no email uses them', async () => {
    const imageOf = ({ url }: { url: string }) => `<img src="https://t.test${url}">`
    const fresh = await store(29)
    const inTemplate = await store(31)
    const inCampaign = await store(31)
    const inPlaceholder = await store(31)
    const inProcessMail = await store(31)
    const unused = await store(31)
    await database.db
      .insertInto('message')
      .values({ client_id: client, name: 'Sale', body_long: imageOf(inTemplate) })
      .execute()
    const body = JSON.stringify({ en: imageOf(inPlaceholder) })
    await database.db
      .insertInto('placeholder')
      .values({ client_id: client, name: 'Logo', token: 'logo', type: 'html', body })
      .execute()
    const page = { process: 'page_thanks', lang: 'en', body_long: imageOf(inProcessMail) }
    await database.db
      .insertInto('pmt')
      .values({ client_id: client, name: 'Thanks', ...page })
      .execute()
    const snapshot = JSON.stringify({ html: imageOf(inCampaign) })
    await sql`insert into campaign (client_id, name, snapshot) values (${client}, 'Sent', ${snapshot}::jsonb)`.execute(
      database.db,
    )
    const used = [fresh, inTemplate, inCampaign, inPlaceholder, inProcessMail]
    for (const { url } of [...used, unused]) expect((await get(url)).statusCode).toBe(200)
    expect(await purgeFiles(database.db, diskStorage(folder))).toBe(1)
    for (const { url } of used) expect((await get(url)).statusCode).toBe(200)
    expect((await get(unused.url)).statusCode).toBe(404)
    expect((await get(unused.url.replace('.png', '.thumb.webp'))).statusCode).toBe(404)
  })
})
