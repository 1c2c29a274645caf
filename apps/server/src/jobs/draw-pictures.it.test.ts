import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileHere } from '@emma/core/content/compile-message.ts'
import { messageOperations } from '@emma/core/content/message-operations.ts'
import { placeholderOperations } from '@emma/core/content/placeholder-operations.ts'
import { findPictures, removeReplaced } from '@emma/core/content/mail-pictures.ts'
import { requestPicture } from '@emma/core/content/request-pictures.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { addTestTenant, testKey } from '@emma/core/test/campaign.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskStorage } from '../files/disk-storage.ts'
import { createLogger } from '../logger.ts'
import { findChromium } from '../pictures/find-chromium.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { createDrawing } from './draw-pictures.ts'

const program = findChromium(process.env.EMMA_CHROMIUM)
const base = 'http://tracking.test'

let app: TestApp
let clientId: number
let drawing: ReturnType<typeof createDrawing>
let files: string

beforeAll(async () => {
  app = await startTestApp({ EMMA_TRACKING_URL: base })
  files = join(app.config.dataFolder, 'files')
  ;({ clientId } = await addTestTenant(app.db))
  drawing = createDrawing({
    db: app.db,
    config: app.config,
    logger: createLogger('jobs', 'silent'),
    program: program ?? '',
    signal: new AbortController().signal,
  })
})
afterAll(async () => {
  await drawing.close()
  await app.close()
})

const messages = messageOperations({ compile: compileHere, trackingBase: base })
const placeholders = placeholderOperations(testKey)
const scope = () => ({ clientIds: [clientId] })
const create = (fields: object) =>
  messages.create(app.db, systemActor(clientId), clientId, { name: 'News', ...fields } as never)
const change = (id: number, fields: object) =>
  messages.patch(app.db, systemActor(clientId), scope(), id, fields as never, { revision: null })
const screenshotOf = async (id: number) =>
  (await messages.find(app.db, systemActor(clientId), scope(), id)).screenshot

/** Draws what is due, without waiting for the pauses. @returns the number of pictures that were due */
async function drawAll(): Promise<number> {
  await sql`update mail_picture set due_at = now() where due_at is not null`.execute(app.db)
  let drawn = 0
  while (await drawing.drawNext()) drawn += 1
  return drawn
}

async function colorOf(url: string, left: number, top: number): Promise<number[]> {
  const key = url.slice(`${base}/files/`.length).replace(/\.jpg$/, '')
  const { data } = await sharp(join(files, key))
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data].map(value => Math.round(value / 16) * 16)
}

test.skipIf(!program)(
  'R127, R020 a changed template gets one new picture, large and small, and until then none',
  async () => {
    const { message_id: id } = await create({ body_long: '<body style="background:#f00">Hi</body>' })
    expect(await screenshotOf(id)).toBeNull()
    await drawAll()
    const first = await screenshotOf(id)
    expect(first?.url_large).toMatch(new RegExp(`^${base}/files/${clientId}/[\\w-]{22}\\.jpg$`))
    expect(first?.url_small).toBe(first?.url_large.replace('.jpg', '.thumb.webp'))
    expect(await colorOf(first?.url_large ?? '', 300, 800)).toEqual([256, 0, 0])
    for (const color of ['#0f0', '#ff0', '#00f'])
      await change(id, { body_long: `<body style="background:${color}">Hi</body>` })
    expect(await screenshotOf(id)).toBeNull()
    expect(await drawing.drawNext()).toBe(false)
    expect(await drawAll()).toBe(1)
    const second = await screenshotOf(id)
    expect(await colorOf(second?.url_large ?? '', 300, 800)).toEqual([0, 0, 256])
    await requestPicture(app.db, clientId, `message/${id}`)
    expect(await drawAll()).toBe(1)
    expect(await screenshotOf(id)).toEqual(second)
  },
)

test.skipIf(!program)('a template is drawn again when a placeholder it shows changes', async () => {
  const module = await placeholders.create(app.db, systemActor(clientId), clientId, {
    name: 'Color',
    token: 'color',
    body: { en: '#f00' },
  } as never)
  const { message_id: id } = await create({
    body_long: '<body style="background:{{ module.color }}">Hi</body>',
  })
  await drawAll()
  expect(await colorOf((await screenshotOf(id))?.url_large ?? '', 300, 800)).toEqual([256, 0, 0])
  await placeholders.patch(
    app.db,
    systemActor(clientId),
    scope(),
    module.module_id,
    { body: { en: '#00f' } },
    { revision: null },
  )
  expect(await drawAll()).toBe(1)
  expect(await colorOf((await screenshotOf(id))?.url_large ?? '', 300, 800)).toEqual([0, 0, 256])
})

test.skipIf(!program)('deleted templates are restored with a picture, text templates have none', async () => {
  const actor = systemActor(clientId)
  const { message_id: id } = await create({ body_long: '<p>Hi</p>' })
  const { message_id: plain } = await create({ body_text: 'Hi' })
  await drawAll()
  expect(await screenshotOf(plain)).toBeNull()
  await messages.remove(app.db, actor, scope(), id, { revision: null })
  expect(await drawAll()).toBe(0)
  await messages.restore(app.db, actor, scope(), id)
  expect(await drawAll()).toBe(1)
  expect(await screenshotOf(id)).not.toBeNull()
})

test.skipIf(!program)('images of the client are shown, those of other clients are not', async () => {
  const storage = diskStorage(files)
  const path = join(app.config.dataFolder, 'red.png')
  await sharp({ create: { width: 700, height: 900, channels: 3, background: '#f00' } })
    .png()
    .toFile(path)
  const { clientId: other } = await addTestTenant(app.db)
  for (const client_id of [clientId, other]) {
    await storage.put(`${client_id}/${'a'.repeat(22)}`, path, 'image/png')
    const file = {
      client_id,
      folder: '/',
      name: 'red.png',
      public_name: 'a'.repeat(22),
      mime_type: 'image/png',
    }
    await app.db
      .insertInto('file')
      .values({ ...file, sha256: Buffer.alloc(32), size: 100 })
      .execute()
  }
  const imageOf = (client: number) => `<img src="https://t.test/files/${client}/${'a'.repeat(22)}.png">`
  const { message_id: own } = await create({ body_long: imageOf(clientId) })
  const { message_id: foreign } = await create({ body_long: imageOf(other) })
  await drawAll()
  expect(await colorOf((await screenshotOf(own))?.url_large ?? '', 300, 400)).toEqual([256, 0, 0])
  expect(await screenshotOf(foreign)).toBeNull()
})

test.skipIf(!program)(
  'R263 designs of the catalogue get pictures in the brand of the client that looks',
  async () => {
    const { token } = await app.logIn({ clients: [clientId] })
    const list = async () => (await app.call('GET', '/catalog/templates?pagesize=1', { token })).json
    expect(await list()).toMatchObject({ results: [{ thumbnail: null }] })
    expect(await drawAll()).toBe(1)
    expect(await list()).toMatchObject({
      results: [{ thumbnail: expect.stringContaining('.thumb.webp'), thumbnail_large: expect.any(String) }],
    })
  },
)

test('replaced contents are removed after an hour', async () => {
  const storage = diskStorage(files)
  await sql`update mail_picture_content set replaced_at = now() - interval '61 minutes'
    where replaced_at is not null`.execute(app.db)
  await removeReplaced(app.db, storage)
  const { rows } = await sql<{ public_name: string }>`
    select public_name from mail_picture_content where client_id = ${clientId}`.execute(app.db)
  const shown = await sql<{ public_name: string }>`
    select public_name from mail_picture where client_id = ${clientId} and public_name is not null`.execute(
    app.db,
  )
  expect(rows.map(row => row.public_name).toSorted()).toEqual(
    shown.rows.map(row => row.public_name).toSorted(),
  )
  if (program)
    for (const { public_name: name } of rows)
      expect(readdirSync(join(files, String(clientId)))).toContain(name)
})

test('a picture that is requested while it is drawn is not lost', async () => {
  await sql`delete from mail_picture`.execute(app.db)
  await requestPicture(app.db, clientId, 'message/4711')
  await requestPicture(app.db, clientId, 'message/4711')
  await drawAll()
  const { rows } =
    await sql`select from mail_picture where due_at is not null or stale_since is not null`.execute(app.db)
  expect(rows).toEqual([])
  expect(await findPictures(app.db, base, [{ clientId, subject: 'message/4711' }])).toEqual(new Map())
})

test('a picture that cannot be drawn is tried again later, a few times', async () => {
  const failing = createDrawing({
    db: app.db,
    config: app.config,
    logger: createLogger('jobs', 'silent'),
    program: '/bin/false',
    signal: new AbortController().signal,
  })
  const { message_id: id } = await create({ body_long: '<p>Hi</p>' })
  const waits: (number | null)[] = []
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await sql`update mail_picture set due_at = now() where due_at is not null`.execute(app.db)
    expect(await failing.drawNext()).toBe(true)
    const { rows } = await sql<{ minutes: number | null }>`
      select round(extract(epoch from due_at - now()) / 60)::int as minutes from mail_picture
      where client_id = ${clientId} and subject = ${`message/${id}`}`.execute(app.db)
    waits.push(rows[0]?.minutes ?? null)
  }
  expect(waits).toEqual([1, 4, 16, null])
  await failing.close()
})
