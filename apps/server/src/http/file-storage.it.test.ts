import { FILE_LIMITS, type StorageMeta } from '@emma/contract/file-storage.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { bombFile, callStorage, type FormFile, pngFile, type StorageAnswer } from '../test/storage.ts'

/** The file storage: FSP protocol (R302), contents, and attacks on both. */

let app: TestApp
let token: string
let superadmin: string
let ours: number
let theirs: number

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addClient()
  theirs = await addClient()
  token = (await app.logIn({ clients: [ours] })).token
})
afterAll(() => app.close())

let clients = 0

async function addClient(): Promise<number> {
  clients += 1
  const { client_id } = await app.db
    .insertInto('client')
    .values({ name: `Client ${clients}` })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  return client_id
}

type Method = Parameters<typeof callStorage>[1]

function call(
  method: Method,
  path: string,
  ask: Parameters<typeof callStorage>[3] = {},
): Promise<StorageAnswer> {
  return callStorage(app, method, path, { token, ...ask })
}

async function upload(
  path: string,
  file: FormFile,
  fields: Record<string, string> = {},
): Promise<StorageAnswer> {
  return call('POST', path, { files: [file], fields })
}

async function folder(name: string): Promise<string> {
  const path = `/${ours}/${name}/`
  expect((await call('POST', path)).status).toBe(200)
  return path
}

const names = (items: readonly StorageMeta[]) => items.map(({ name }) => name)

describe('R302 protocol', () => {
  test('lists folders and files with the metadata of the protocol', async () => {
    const path = await folder('listing')
    await call('POST', `${path}inside/`)
    await upload(path, await pngFile('logo one.png'))
    const { json } = await call('GET', path)
    expect(json.status).toBe('success')
    expect(json.data.meta).toMatchObject({
      'mime-type': 'application/directory',
      name: 'listing',
      path,
      permissions: 'rw',
      'item-count': 2,
    })
    expect(json.data.items).toMatchObject([
      { 'mime-type': 'application/directory', name: 'inside', path: `${path}inside/`, 'item-count': 0 },
      {
        'mime-type': 'image/png',
        name: 'logo one.png',
        path: `${path}logo one.png`,
        extra: { width: 40, height: 20 },
      },
    ])
    const file = await call('GET', `${path}logo%20one.png`)
    expect(file.json.data.meta['public-url']).toMatch(new RegExp(`/files/${ours}/[\\w-]{22}\\.png$`))
    expect(file.json.data.meta['last-modified']).toBeGreaterThan(1_700_000_000_000)
  })

  test('the root lists the active client and the shared files, which superadmins maintain', async () => {
    const { json } = await call('GET', '/')
    expect(json.data.items).toMatchObject([
      { path: `/${ours}/`, permissions: 'rw' },
      { path: '/shared/', permissions: 'ro' },
    ])
    const file = await pngFile('shared.png')
    expect(await upload('/shared/', file)).toMatchObject({ status: 403, refusal: { code: 3300 } })
    expect((await callStorage(app, 'POST', '/shared/', { token: superadmin, files: [file] })).status).toBe(
      200,
    )
    expect(names((await call('GET', '/shared/')).json.data.items)).toContain('shared.png')
    expect((await call('DELETE', '/shared/shared.png')).status).toBe(403)
    expect((await call('PATCH', '/shared/shared.png', { body: { new_path: '/shared/b.png' } })).status).toBe(
      403,
    )
  })

  test('skips a file that is there with the same name, size and type', async () => {
    const path = await folder('same')
    const file = await pngFile()
    const first = await upload(path, file)
    const again = await upload(path, file)
    expect(first.json.data.meta.extra.skipped).toBeUndefined()
    expect(again.json.data.meta.extra).toMatchObject({
      skipped: true,
      file_id: first.json.data.meta.extra.file_id,
    })
    const other = { ...file, bytes: Buffer.concat([file.bytes, Buffer.from('x')]) }
    expect(await upload(path, other)).toMatchObject({ status: 409, refusal: { status: 'error', code: 3400 } })
    expect((await upload(path, other, { conflict_strategy: 'keep' })).json.data.meta.name).toBe(
      'logo (1).png',
    )
  })

  test('replacing gives a new URL, moves the old file to the bin and changes the templates', async () => {
    const path = await folder('replace')
    const before = (await upload(path, await pngFile('hero.png', 1))).json.data.meta
    const created = await app.call('POST', '/emma/message/', {
      token,
      body: {
        name: 'Sale',
        subject: 'Sale',
        body_long: `<p><img src="${before['public-url']}"></p>`,
        client_id: ours,
      },
    })
    const message = Number(created.json.message_id)
    const body = { en: `<img src="${before['public-url']}" alt="Café">` }
    const placeholder = { name: 'Footer', token: 'replaced_footer', body, client_id: ours }
    const { module_id } = (await app.call('POST', '/emma/placeholder/', { token, body: placeholder })).json
    const usage = `/v2/emma/client/${ours}/file/${before.extra.file_id}/usage`
    expect((await app.call('GET', usage, { token })).json).toEqual({
      templates: [{ message_id: message, name: 'Sale' }],
    })
    const after = (await upload(path, await pngFile('hero.png', 99), { conflict_strategy: 'replace' })).json
      .data.meta
    expect(after['public-url']).not.toBe(before['public-url'])
    const changed = await app.call('GET', `/emma/message/${message}`, { token })
    expect(changed.text).toContain(after['public-url'])
    expect(changed.text).not.toContain(before['public-url'])
    const footer = await app.call('GET', `/emma/placeholder/${Number(module_id)}`, { token })
    expect(footer.json.body).toEqual({ en: `<img src="${after['public-url']}" alt="Café">` })
    expect(names((await call('GET', path)).json.data.items)).toEqual(['hero.png'])
  })

  test('moves and renames files and folders with their contents', async () => {
    const path = await folder('move')
    await call('POST', `${path}a/`)
    await call('POST', `${path}a/b/`)
    await upload(`${path}a/b/`, await pngFile())
    const moved = await call('PATCH', `${path}a/`, { body: { new_path: `${path}c` } })
    expect(moved.json.data.meta).toMatchObject({ name: 'c', path: `${path}c/`, 'item-count': 1 })
    const file = await call('PATCH', `${path}c/b/logo.png`, { body: { new_path: `${path}top.png` } })
    expect(file.json.data.meta).toMatchObject({ name: 'top.png' })
    expect(names((await call('GET', path)).json.data.items)).toEqual(['c', 'top.png'])
    const refused = [
      [`${path}c/`, `${path}c/b/d/`, 422],
      [`${path}top.png`, `${path}top.pdf`, 422],
      [`${path}top.png`, `/${theirs}/top.png`, 422],
      [`${path}top.png`, `${path}nowhere/top.png`, 404],
      [`${path}top.png`, `${path}../top.png`, 400],
      [`${path}top.png`, '/shared/top.png', 422],
    ] as const
    for (const [from, new_path, status] of refused)
      expect([new_path, (await call('PATCH', from, { body: { new_path } })).status]).toEqual([
        new_path,
        status,
      ])
  })

  test('deletes files and empty folders; the bin restores them with their folders', async () => {
    const path = await folder('bin')
    await call('POST', `${path}deep/`)
    const { meta } = (await upload(`${path}deep/`, await pngFile())).json.data
    expect(await call('DELETE', `${path}deep/`)).toMatchObject({ status: 409, refusal: { code: 3400 } })
    expect((await call('DELETE', `${path}deep/logo.png`)).json).toEqual({ status: 'success', data: null })
    expect((await call('DELETE', `${path}deep/`)).status).toBe(200)
    expect(await call('GET', `${path}deep/logo.png`)).toMatchObject({ status: 404, refusal: { code: 3200 } })
    const bin = await app.call('GET', `/v2/emma/client/${ours}/file?deleted=true&search=LOGO`, { token })
    expect(bin.json).toMatchObject({ total: 1, data: [{ name: 'logo.png', folder: '/bin/deep/' }] })
    const restored = await app.call('POST', `/v2/emma/client/${ours}/file/${meta.extra.file_id}/restore`, {
      token,
    })
    expect(restored.json).toMatchObject({ name: 'logo.png', folder: '/bin/deep/', deleted_at: null })
    expect((await call('GET', `${path}deep/logo.png`)).json.data.meta['public-url']).toBe(meta['public-url'])
  })

  test('the alternative text is kept with the file and found by the search', async () => {
    const path = await folder('alt')
    const { meta } = (await upload(path, await pngFile())).json.data
    const url = `/v2/emma/client/${ours}/file/${meta.extra.file_id}`
    expect((await app.call('PATCH', url, { token, body: { alt: 'A red boat' } })).json.alt).toBe('A red boat')
    const found = await app.call('GET', `/v2/emma/client/${ours}/file?search=red%20boat`, { token })
    expect(found.json).toMatchObject({ total: 1, data: [{ file_id: meta.extra.file_id }] })
  })

  test('validates a new token of the same user', async () => {
    const mine = await app.logIn({ clients: [ours] })
    const other = await app.logIn({ clients: [ours] })
    const ask = (body: unknown) => callStorage(app, 'POST', '/auth', { token: mine.token, body })
    expect((await ask({ token: mine.token, uid: mine.userId })).json).toMatchObject({ status: 'success' })
    const refused = [
      { token: other.token, uid: mine.userId },
      { token: mine.token, uid: other.userId },
      { token: 'invented', uid: mine.userId },
    ]
    for (const body of refused)
      expect(await ask(body)).toMatchObject({ status: 401, refusal: { code: 3650 } })
  })

  test('fetches the source of the editor plugin from public addresses only', async () => {
    const path = await folder('source')
    for (const source of ['http://127.0.0.1:1/a.png', 'http://169.254.169.254/a.png', 'file:///etc/passwd'])
      expect((await call('POST', `${path}a.png`, { body: { source } })).status).toBe(422)
    expect((await call('GET', path)).json.data.items).toEqual([])
  })
})

describe('access', () => {
  test('R302 each method needs its permission', async () => {
    const path = await folder('rights')
    const asks: readonly [Method, string, unknown][] = [
      ['GET', path, undefined],
      ['POST', `${path}new/`, undefined],
      ['PATCH', path, { new_path: `/${ours}/right/` }],
      ['DELETE', path, undefined],
    ]
    for (const [method, url, body] of asks) {
      const permissions = (['get', 'post', 'patch', 'delete'] as const)
        .filter(right => right !== method.toLowerCase())
        .map(right => `CloudStorage:${right}`)
      const person = await app.logIn({ clients: [ours], permissions })
      expect(await callStorage(app, method, url, { token: person.token, body })).toMatchObject({
        status: 403,
        refusal: { code: 3300 },
      })
      expect(await callStorage(app, method, url, { body })).toMatchObject({
        status: 401,
        refusal: { code: 3650 },
      })
    }
  })

  test('R302 another client is not found, whatever the method', async () => {
    const foreign = (await app.logIn({ clients: [theirs] })).token
    const made = await callStorage(app, 'POST', `/${theirs}/`, {
      token: foreign,
      files: [await pngFile('secret.png')],
    })
    const id = made.json.data.meta.extra.file_id
    const path = `/${theirs}/secret.png`
    expect((await call('GET', `/${theirs}/`)).status).toBe(404)
    expect((await call('GET', path)).status).toBe(404)
    expect((await upload(`/${theirs}/`, await pngFile())).status).toBe(404)
    expect((await call('PATCH', path, { body: { new_path: `/${theirs}/x.png` } })).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
    expect(
      (await call('POST', '', { files: [await pngFile()], fields: { path: `/${theirs}/` } })).status,
    ).toBe(404)
    for (const client of [ours, theirs])
      for (const [method, ending] of [
        ['GET', '/usage'],
        ['POST', '/restore'],
        ['PATCH', ''],
      ] as const) {
        const body = method === 'PATCH' ? { alt: 'mine' } : undefined
        const answer = await app.call(method, `/v2/emma/client/${client}/file/${id}${ending}`, {
          token,
          body,
        })
        expect([method, client, answer.status]).toEqual([method, client, 404])
      }
    expect((await callStorage(app, 'GET', path, { token: foreign })).json.data.meta.extra.alt).toBeNull()
  })

  test('a client that does not exist gets no files, not even from superadmins', async () => {
    const files = [await pngFile()]
    expect((await callStorage(app, 'POST', '/99999999/', { token: superadmin, files })).status).toBe(404)
    expect((await callStorage(app, 'POST', '/99999999/a/', { token: superadmin })).status).toBe(404)
  })
})

describe('malicious input', () => {
  test.each([
    '/../secret.key',
    '/..%2f..%2fsecret.key',
    '/%2e%2e/secret.key',
    '/a%5c..%5cb',
    '/a%0ab.png',
    `/${encodeURIComponent('a\u202egnp.exe')}`,
    `/${encodeURIComponent('ﬁle.png')}`,
    '/ a.png',
    `/${'a'.repeat(101)}.png`,
    `/${'a/'.repeat(12)}`,
    '/%E0%A4',
  ])('the path %s is rejected', async ending => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, refusal } = await call(method, `/${ours}${ending}`)
      expect([400, 404]).toContain(status)
      expect(refusal.status ?? 'error').toBe('error')
    }
  })

  test('names of foreign computers become names of the protocol', async () => {
    const path = await folder('names')
    const sent = [
      'Größe №1.png',
      '..\\..\\evil.png',
      '../../evil2.png',
      '.htaccess.png',
      'a\u202egpj.png',
      '日本.png',
    ]
    const got: string[] = []
    for (const [index, name] of sent.entries())
      got.push((await upload(path, await pngFile(name, index))).json.data.meta.name)
    expect(got).toEqual(['Groesse -1.png', 'evil.png', 'evil2.png', '.htaccess.png', 'a-gpj.png', '-.png'])
  })

  test.each([
    ['a page named as image', 'x.png', 'image/png', Buffer.from('<html><script>alert(1)</script></html>')],
    [
      'a vector image with script',
      'x.svg',
      'image/svg+xml',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    [
      'a vector image named as PNG',
      'x.png',
      'image/png',
      Buffer.from('<?xml version="1.0"?><svg onload="alert(1)"/>'),
    ],
    ['a program', 'x.exe', 'image/png', Buffer.from('MZ\u0090\u0000'.repeat(100), 'latin1')],
    ['a document named as image', 'x.png', 'image/png', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
    ['an empty file', 'x.png', 'image/png', Buffer.alloc(0)],
    [
      'half an image',
      'x.png',
      'image/png',
      Buffer.from('89504e470d0a1a0a0000000d49484452000000280000001408020000', 'hex'),
    ],
  ])('%s is rejected', async (_what, name, type, bytes) => {
    const path = `/${ours}/`
    expect(await upload(path, { name, type, bytes })).toMatchObject({ status: 422, refusal: { code: 3450 } })
  })

  test('an image named as program is rejected; one named as another image gets the extension of its content', async () => {
    const path = await folder('extensions')
    expect((await upload(path, await pngFile('image.html'))).status).toBe(422)
    expect((await upload(path, await pngFile('photo.jpeg'))).json.data.meta.name).toBe('photo.png')
  })

  test('an image of ten gigapixels is rejected before it is decoded', async () => {
    const { status, refusal } = await upload(`/${ours}/`, bombFile(100_000, 100_000))
    expect({ status, reason: JSON.stringify(refusal.details.fields) }).toEqual({
      status: 422,
      reason: expect.stringContaining('file.pixels'),
    })
  })

  test('a file above the limit is rejected and leaves nothing behind', async () => {
    const bytes = Buffer.concat([(await pngFile()).bytes, Buffer.alloc(FILE_LIMITS.fileBytes)])
    const { status, refusal } = await upload(`/${ours}/`, { name: 'big.png', type: 'image/png', bytes })
    expect([status, refusal.code]).toEqual([413, 3900])
    const { rows } = await sql`select from file where client_id = ${ours} and name = 'big.png'`.execute(
      app.db,
    )
    expect(rows).toEqual([])
  })

  test('100,000 entries are the limit of a client, 5,000 that of a folder', async () => {
    const client = await addClient()
    await sql`
      insert into file (client_id, folder, name, is_folder)
      select ${client}, '/' || case when n <= 5000 then 'full/' else '' end, 'f' || n, true from generate_series(1, 9999) n`.execute(
      app.db,
    )
    await sql`insert into file (client_id, folder, name, is_folder) values (${client}, '/', 'full', true)`.execute(
      app.db,
    )
    const make = (path: string) => callStorage(app, 'POST', `/${client}/${path}`, { token: superadmin })
    expect(await make('full/one/')).toMatchObject({
      status: 413,
      refusal: { details: { reason: 'file.folder_entries' } },
    })
    expect(await make('full2/')).toMatchObject({
      status: 413,
      refusal: { details: { reason: 'file.folder_entries' } },
    })
    await sql`
      insert into file (client_id, folder, name, is_folder, deleted_at)
      select ${client}, '/', 'old' || n, true, now() from generate_series(1, 90000) n`.execute(app.db)
    expect(await make('f6000/one/')).toMatchObject({
      status: 413,
      refusal: { details: { reason: 'file.entries' } },
    })
  })

  test('concurrent uploads of one name store one file', async () => {
    const path = await folder('race')
    const files = await Promise.all([1, 2, 3, 4].map(seed => pngFile('same.png', seed * 40)))
    const answers = await Promise.all(files.map(file => upload(path, file)))
    expect(answers.filter(({ json }) => json.status === 'success').length).toBeGreaterThanOrEqual(1)
    expect(names((await call('GET', path)).json.data.items)).toEqual(['same.png'])
  })
})

describe('images', () => {
  test('orientation is applied; location and camera data are removed', async () => {
    const bytes = await sharp({ create: { width: 60, height: 30, channels: 3, background: 'red' } })
      .jpeg()
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { meta } = (await upload(`/${ours}/`, { name: 'photo.jpg', type: 'image/jpeg', bytes })).json.data
    expect(meta.extra).toMatchObject({ width: 30, height: 60 })
    const stored = await sharp(await contentOf(meta)).metadata()
    expect(stored).toMatchObject({ width: 30, height: 60 })
    expect(stored.exif).toBeUndefined()
  })

  test('an image without metadata keeps its bytes', async () => {
    const file = await pngFile('plain.png', 7)
    const { meta } = (await upload(`/${ours}/`, file)).json.data
    expect((await contentOf(meta)).equals(file.bytes)).toBe(true)
  })

  test.each([
    ['webp', 'photo.jpg', false],
    ['avif', 'photo (1).jpg', false],
    ['webp', 'photo.png', true],
  ] as const)('%s becomes %s for emails', async (format, name, hasAlpha) => {
    const background = hasAlpha ? { r: 1, g: 2, b: 3, alpha: 0.5 } : { r: 1, g: 2, b: 3, alpha: 1 }
    const plain = sharp({ create: { width: 32, height: 32, channels: hasAlpha ? 4 : 3, background } })
    const bytes = await (format === 'webp' ? plain.webp() : plain.avif()).toBuffer()
    const path = `/${ours}/converted/`
    await call('POST', path)
    const sent = { name: `photo.${format}`, type: `image/${format}`, bytes }
    const { meta } = (await upload(path, sent, { conflict_strategy: 'keep' })).json.data
    expect(meta.name).toBe(name)
    expect((await upload(path, sent)).json.data.meta.extra.skipped).toBe(true)
  })

  test('an animated GIF keeps its frames, an animated WebP becomes one', async () => {
    const frames = Buffer.alloc(10 * 30 * 3, 120).fill(200, 10 * 10 * 3)
    const strip = () =>
      sharp(frames, { raw: { width: 10, height: 30, channels: 3, pageHeight: 10 }, animated: true })
    const gif = await strip()
      .gif({ delay: [50, 50, 50] })
      .toBuffer()
    const webp = await strip()
      .webp({ delay: [50, 50, 50] })
      .toBuffer()
    const one = await upload(`/${ours}/`, { name: 'moving.gif', type: 'image/gif', bytes: gif })
    expect((await contentOf(one.json.data.meta)).equals(gif)).toBe(true)
    const other = await upload(`/${ours}/`, { name: 'other.webp', type: 'image/webp', bytes: webp })
    expect(other.json.data.meta).toMatchObject({ name: 'other.gif', extra: { width: 10, height: 10 } })
    const { pages } = await sharp(await contentOf(other.json.data.meta), { animated: true }).metadata()
    expect(pages).toBeGreaterThan(1)
  })
})

describe('editing images', () => {
  const edit = (meta: StorageMeta, body: object, clientId = ours) =>
    app.call('POST', `/v2/emma/client/${clientId}/file/${meta.extra.file_id}/edit`, { token, body })

  test('a cropped and scaled image is a file of its own beside it', async () => {
    const path = await folder('edited')
    const halves = Buffer.alloc(40 * 20 * 3)
    for (let pixel = 0; pixel < 40 * 20; pixel += 1) halves[pixel * 3 + (pixel % 40 < 20 ? 0 : 2)] = 255
    const bytes = await sharp(halves, { raw: { width: 40, height: 20, channels: 3 } })
      .png()
      .toBuffer()
    const { meta } = (await upload(path, { name: 'halves.png', type: 'image/png', bytes })).json.data
    const described = `/v2/emma/client/${ours}/file/${meta.extra.file_id}`
    await app.call('PATCH', described, { token, body: { alt: 'Two colours' } })
    const crop = { left: 20, top: 0, width: 20, height: 20 }
    const { json } = await edit(meta, { crop, width: 10 })
    expect(json).toMatchObject({
      name: 'halves-10x10.png',
      folder: '/edited/',
      width: 10,
      height: 10,
      alt: 'Two colours',
    })
    const { channels } = await sharp(
      await contentOf({ ...meta, 'public-url': String(json.public_url) }),
    ).stats()
    expect(channels.map(({ mean }) => mean)).toEqual([0, 0, 255])
    expect((await edit(meta, { crop, width: 10 })).json.name).toBe('halves-10x10 (1).png')
    expect(names((await call('GET', path)).json.data.items)).toContain('halves.png')
  })

  test('it replaces the image where that is asked, and keeps its alternative text', async () => {
    const path = await folder('edited_in_place')
    const { meta } = (await upload(path, await pngFile('hero.png', 3))).json.data
    const described = `/v2/emma/client/${ours}/file/${meta.extra.file_id}`
    await app.call('PATCH', described, { token, body: { alt: 'A boat' } })
    const { json } = await edit(meta, { width: 20, replace: true })
    expect(json).toMatchObject({ name: 'hero.png', width: 20, height: 10, alt: 'A boat' })
    expect(names((await call('GET', path)).json.data.items)).toEqual(['hero.png'])
  })

  test('all frames of an animation are cropped and scaled', async () => {
    const frames = Buffer.alloc(10 * 30 * 3, 120).fill(200, 10 * 10 * 3)
    const bytes = await sharp(frames, {
      raw: { width: 10, height: 30, channels: 3, pageHeight: 10 },
      animated: true,
    })
      .gif({ delay: [50, 50, 50] })
      .toBuffer()
    const { meta } = (await upload(`/${ours}/`, { name: 'film.gif', type: 'image/gif', bytes })).json.data
    const { json } = await edit(meta, { crop: { left: 2, top: 2, width: 8, height: 4 }, width: 4 })
    expect(json).toMatchObject({ name: 'film-4x2.gif', width: 4, height: 2 })
    const content = await contentOf({ ...meta, 'public-url': String(json.public_url) })
    expect(await sharp(content, { animated: true }).metadata()).toMatchObject({ pages: 2, pageHeight: 2 })
  })

  test('an image is not enlarged, and nothing beyond it is kept', async () => {
    const { meta } = (await upload(`/${ours}/`, await pngFile('small.png', 5))).json.data
    expect((await edit(meta, { width: 4000 })).json).toMatchObject({ width: 40, height: 20 })
    const beyond = await edit(meta, { crop: { left: 30, top: 0, width: 20, height: 20 } })
    expect(beyond).toMatchObject({ status: 422, error: { fields: [{ field: 'crop' }] } })
  })

  test('other clients, PDFs and files in the bin are not edited', async () => {
    const { meta } = (await upload(`/${ours}/`, await pngFile('own.png', 6))).json.data
    expect((await edit(meta, { width: 10 }, theirs)).status).toBe(404)
    const bytes = Buffer.from('%PDF-1.4\n%%EOF\n')
    const pdf = (await upload(`/${ours}/`, { name: 'terms.pdf', type: 'application/pdf', bytes })).json.data
    expect((await edit(pdf.meta, { width: 10 })).status).toBe(404)
    await call('DELETE', meta.path)
    expect((await edit(meta, { width: 10 })).status).toBe(404)
  })
})

async function contentOf(meta: StorageMeta): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises')
  const [, client, name = ''] = /\/files\/(\d+)\/([^.]+)/.exec(meta['public-url'] ?? '') ?? []
  return readFile(`${app.config.dataFolder}/files/${client}/${name}`)
}
