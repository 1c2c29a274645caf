import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { type Zippable, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fetchPage, originOfPage } from '../content/import/fetch-page.ts'
import { createTemplateImports } from '../content/import/import-template.ts'
import { openFileStorage } from '../files/open-file-storage.ts'
import { createImageProcesses } from '../files/run-image-process.ts'
import { createLogger } from '../logger.ts'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { bombFile, pngFile } from '../test/storage.ts'

/** Import of templates (R249): ZIP archives, pages, and attacks on both. */

let app: TestApp
let token: string
let ours: number
let theirs: number

beforeAll(async () => {
  app = await startTestApp({ EMMA_BODY_LIMIT: '12000000' })
  const clients = await app.db
    .insertInto('client')
    .values([{ name: 'Ours' }, { name: 'Theirs' }])
    .returning('client_id')
    .execute()
  ours = clients[0]?.client_id ?? 0
  theirs = clients[1]?.client_id ?? 0
  token = (await app.logIn({ clients: [ours] })).token
})
afterAll(() => app.close())

async function send(bytes: Uint8Array, data: object = {}, as = token): Promise<Answer> {
  const form = new FormData()
  form.append('data', JSON.stringify({ store_images: true, inline_css: false, ...data }))
  form.append('file', new Blob([new Uint8Array(bytes)]), 'template.zip')
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await encoded.arrayBuffer())
  return app.call('POST', '/tools/htmlbody/', { token: as, payload, headers })
}

const zip = (files: Zippable) => zipSync(files, { level: 6 })
const text = (content: string) => Buffer.from(content)

async function storedFiles(clientId = ours): Promise<string[]> {
  const rows = await app.db
    .selectFrom('file')
    .select(['folder', 'name', 'client_id'])
    .where('client_id', '=', clientId)
    .orderBy('file_id')
    .execute()
  return rows.map(({ folder, name }) => folder + name)
}

const page = (body: string) =>
  `<!doctype html><html><head><title>Spring\n sale</title></head><body>${body}</body></html>`

test('R249 a ZIP archive becomes a template whose images are files; a repetition stores none twice', async () => {
  const logo = (await pngFile('logo.png', 1)).bytes
  const source = page(
    `<img src="images/Logo.PNG"><td background='images/my%20photo.png'>Words {{ member.firstname }}</td><a href="https://example.com/?a=1&amp;b=2">Shop</a>`,
  )
  const archive = zip({
    'mail/index.html': text(source),
    'mail/images/logo.png': logo,
    'mail/images/my photo.png': (await pngFile('photo.png', 2)).bytes,
    'mail/images/unused.png': (await pngFile('unused.png', 3)).bytes,
    '__MACOSX/mail/._index.html': text('x'),
  })
  const { status, json } = await send(archive)
  expect({ status, json }).toMatchObject({
    status: 200,
    json: {
      format: 'html',
      title: 'Spring sale',
      warnings: [],
      links: [{ url: 'https://example.com/?a=1&b=2', name: 'Shop' }],
    },
  })
  const html = String(json.html)
  expect(html).toMatch(/<img src="http[^"]*\/files\/\d+\/[^"]+\.png">/)
  expect(html.replaceAll(/http[^"']*\/files\/[^"']*/g, '')).toBe(
    source.replace('images/Logo.PNG', '').replace('images/my%20photo.png', ''),
  )
  const files = await storedFiles()
  expect(files).toEqual(['/imported', '/imported/logo.png', '/imported/my photo.png'])
  const again = await send(archive)
  expect(again.json.html).toBe(html)
  expect(await storedFiles()).toEqual(files)
})

test('R249 HTML is returned with its styles in attributes, as text, with its links', async () => {
  const body = { html: '<style>p{color:red}</style><p>Hello <a href="https://example.com/">you</a></p>' }
  const { json } = await app.call('POST', '/tools/htmlbody/', { token, body })
  expect(json.html).toContain('<p style="color: red;">')
  expect(json).toMatchObject({ format: 'html', text: 'Hello you <https://example.com/>\n' })
})

test('what is missing in an archive is named with its line, and the template stays whole', async () => {
  const before = await storedFiles()
  const source = page(
    `\n<img src="gone.png">\n<img src="login.png"><img src="bomb.png"><img src="large.png">\n<a href="other.html">x</a><link rel="stylesheet" href="a.css">`,
  )
  const { json } = await send(
    zip({
      'a.html': text(source),
      'sub/b.html': text('<p>b</p>'),
      'login.png': text('<form>Log in</form>'),
      'large.png': new Uint8Array(20_000_001),
      'bomb.png': bombFile(60_000, 60_000).bytes,
    }),
  )
  expect(json.html).toBe(source)
  expect(json.warnings).toMatchObject([
    { code: 'import.other_templates', values: { count: 2, name: 'a.html' } },
    { code: 'import.image_missing', values: { line: 3, url: 'gone.png' } },
    { code: 'import.image_rejected', values: { line: 4, url: 'login.png', cause: { code: 'file.type' } } },
    { code: 'import.image_rejected', values: { line: 4, url: 'bomb.png', cause: { code: 'file.pixels' } } },
    { code: 'import.image_rejected', values: { line: 4, url: 'large.png', cause: { code: 'file.size' } } },
    { code: 'import.relative_link' },
    { code: 'import.stylesheet' },
  ])
  expect(await storedFiles()).toEqual(before)
})

/** An archive whose bytes are changed after it is written. */
function patched(files: Zippable, change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(zip(files))
  change(bytes)
  return bytes
}

function replaceAll(bytes: Buffer, from: string, to: string): void {
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1))
    bytes.write(to, at, 'latin1')
}

const template = { 'index.html': text('<p>Hello</p>') }
/** Signatures of an entry in the directory, and of its end (APPNOTE.TXT, 4.3). */
const central = Buffer.from([0x50, 0x4b, 0x01, 0x02])
const endOfDirectory = Buffer.from([0x50, 0x4b, 0x05, 0x06])

const newImage = (await pngFile('new.png', 77)).bytes

const hostile: [string, string, () => Uint8Array][] = [
  [
    '60,000 files',
    'import.zip_entries',
    () => patched(template, bytes => bytes.writeUInt16LE(60_000, bytes.indexOf(endOfDirectory) + 10)),
  ],
  [
    'a path out of the archive',
    'import.zip_path',
    () => patched({ ...template, aaaaetc: text('x') }, bytes => replaceAll(bytes, 'aaaaetc', '../aetc')),
  ],
  [
    'an absolute path',
    'import.zip_path',
    () => patched({ ...template, aaaaetc: text('x') }, bytes => replaceAll(bytes, 'aaaaetc', '/aaaetc')),
  ],
  [
    'a symbolic link',
    'import.zip_link',
    () => zip({ ...template, 'link.png': [text('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] }),
  ],
  [
    'a bomb',
    'import.zip_unpacked',
    () => patched(template, bytes => bytes.writeUInt32LE(2_000_000_000, bytes.indexOf(central) + 24)),
  ],
  [
    'a bomb that says to be small',
    'import.zip_broken',
    () =>
      patched({ 'index.html': new Uint8Array(20_000_000) }, bytes =>
        bytes.writeUInt32LE(100, bytes.indexOf(central) + 24),
      ),
  ],
  ['20 MB of HTML', 'import.characters', () => zip({ 'index.html': text('<p>x</p>'.repeat(2_500_000)) })],
  [
    'a password',
    'import.zip_encrypted',
    () => patched(template, bytes => bytes.writeUInt16LE(1, bytes.indexOf(central) + 8)),
  ],
  ['no template', 'import.zip_no_template', () => zip({ 'a.png': text('x') })],
  ['no HTML', 'import.no_template', () => zip({ 'a.html': text('plain words') })],
  [
    'deep nesting around an image',
    'import.costly',
    () => zip({ 'a.html': text(`<img src="new.png">${'<div>'.repeat(300_000)}`), 'new.png': newImage }),
  ],
  ['bytes that only begin like gzip', 'import.zip_broken', () => Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6])],
  ['no archive', 'import.zip_broken', () => text('<p>Hello</p>')],
  ['an archive that ends early', 'import.zip_broken', () => zip(template).slice(0, 60)],
]

test.each(hostile)(
  'an archive with %s is rejected in words, and nothing is stored',
  async (_, code, archive) => {
    const before = await storedFiles()
    const { status, error } = await send(archive())
    expect({ status, codes: error.fields?.map(field => field.code) }).toEqual({ status: 422, codes: [code] })
    expect(await storedFiles()).toEqual(before)
  },
)

test('images that exceed the quota are stored all or none', async () => {
  const before = await storedFiles()
  const setSize = (size: number) =>
    app.db
      .updateTable('file')
      .set({ size })
      .where('client_id', '=', ours)
      .where('name', '=', 'logo.png')
      .execute()
  await setSize(5_000_000_000)
  onTestFinished(async () => {
    await setSize(100)
  })
  const files = {
    'index.html': text('<p><img src="a.png"><img src="b.png"></p>'),
    'a.png': (await pngFile('a.png', 40)).bytes,
    'b.png': (await pngFile('b.png', 41)).bytes,
  }
  expect((await send(zip(files))).status).toBe(413)
  expect(await storedFiles()).toEqual(before)
})

test('no other client, no missing permission, no private address', async () => {
  const archive = zip(template)
  expect((await send(archive, { client_id: theirs })).status).toBe(404)
  const reader = await app.logIn({ clients: [ours], permissions: ['HtmlBody:post'] })
  expect((await send(archive, {}, reader.token)).status).toBe(403)
  expect((await send(archive, { store_images: false }, reader.token)).status).toBe(200)
  const blind = await app.logIn({ clients: [ours], permissions: ['CloudStorage:post'] })
  expect((await send(archive, {}, blind.token)).status).toBe(403)
  for (const url of [
    'http://127.0.0.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest',
    'http://localhost:1/',
  ])
    expect((await app.call('POST', '/tools/htmlbody/', { token, body: { url } })).error.fields).toMatchObject(
      [{ field: 'url', code: 'import.address' }],
    )
  for (const body of [{}, { url: 'file:///etc/passwd' }, { url: 'http://a.test/', html: '<p>' }])
    expect((await app.call('POST', '/tools/htmlbody/', { token, body })).status).toBe(422)
})

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

test('R249 a page becomes a template with absolute URLs, and its images files', async () => {
  const image = (await pngFile('remote.png', 9)).bytes
  const site = await serve((request, response) => {
    if (request.url === '/start') return response.writeHead(302, { location: '/mail/page' }).end()
    if (request.url === '/mail/img.php?id=1') return response.writeHead(200).end(image)
    if (request.url === '/mail/page')
      return response
        .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
        .end(
          Buffer.from(
            page('<p>Grüße</p><img src="img.php?id=1"><img src="/none.png"><a href="../shop">x</a>'),
            'latin1',
          ),
        )
    return response.writeHead(404).end()
  })
  const fetched = await fetchPage(`${site}/start`, 'loopback')
  const imports = createTemplateImports({
    storage: openFileStorage(app.config),
    images: createImageProcesses(createLogger('api', 'silent')),
    folder: `${app.config.dataFolder}/incoming`,
  })
  onTestFinished(() => imports.close())
  const actor = {
    userId: null,
    clientIds: [ours],
    clientId: ours,
    superadmin: false,
    administrator: false,
    permissions: new Set<never>(),
  }
  const store = { db: app.db, actor, base: 'https://files.example' }
  const imported = await imports.run({ clientId: ours, inlinesCss: false, store }, use =>
    use(originOfPage(fetched, 'loopback')),
  )
  expect(imported.html).toContain('Grüße')
  expect(imported.html).toMatch(/<img src="https:\/\/files\.example\/files\/[^"]+\.png">/)
  expect(imported.html).toContain(`<img src="${site}/none.png"><a href="${site}/shop">`)
  expect(imported.warnings).toMatchObject([{ code: 'import.image_unreachable' }])
})

const html = { 'content-type': 'text/html' }

const badPages: [string, string, RequestListener][] = [
  [
    'a login form',
    'import.login',
    (_, response) => response.writeHead(200, html).end('<form><input type="Password"></form>'),
  ],
  ['status 401', 'import.login', (_, response) => response.writeHead(401).end()],
  ['status 500', 'import.status', (_, response) => response.writeHead(500).end()],
  [
    'an image',
    'import.page_type',
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(),
  ],
  [
    'endless redirects',
    'import.redirects',
    (_, response) => response.writeHead(302, { location: '/again' }).end(),
  ],
  [
    'a redirect to a private address',
    'import.address',
    (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  ],
  [
    'a redirect to a file',
    'import.address',
    (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  ],
  [
    '10 MB',
    'import.page_size',
    (_, response) => response.writeHead(200, html).end(Buffer.alloc(10_000_000, '<')),
  ],
  ['no answer', 'import.unreachable', (_, response) => response.destroy()],
]

test.each(badPages)('a page with %s is rejected in words', async (_, code, handler) => {
  const site = await serve(handler)
  await expect(fetchPage(`${site}/`, 'loopback')).rejects.toMatchObject({ fields: [{ field: 'url', code }] })
})
