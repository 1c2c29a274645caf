import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type LegalKind, legalKinds, PDF_BYTES } from '@emma/contract/legal-document.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { ensureDemoClient } from '@emma/core/account/demo-account.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, sampleOf, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let superadmin: string
let ours: TestClient
let theirs: TestClient
/** An administrator of our client, another user of it, and an administrator of the other client. */
let admin: { token: string; userId: number }
let editor: string
let stranger: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  admin = await app.logIn({ clients: [ours.clientId], administrator: true })
  editor = (await app.logIn({ clients: [ours.clientId] })).token
  stranger = (await app.logIn({ clients: [theirs.clientId], administrator: true })).token
})
afterAll(() => app.close())
beforeEach(async () => {
  for (const kind of legalKinds) {
    await app.pool.query(`delete from ${kind}_confirm`)
    await app.pool.query(`delete from ${kind}_pdf`)
    await app.pool.query(`delete from ${kind}`)
  }
})

async function add(kind: LegalKind, fields: Record<string, unknown> = {}) {
  const body = { ...sampleOf(kind, ours), valid_from: '2026-01-01', ...fields }
  const { status, json, text } = await app.call('POST', `/v2/${kind}/`, { token: superadmin, body })
  if (status !== 201) throw new Error(text)
  return { ...json, id: Number(json.id), version: String(json.version) }
}

const publish = (kind: LegalKind, fields = {}) => add(kind, { published: true, ...fields })

const confirmPath = (kind: LegalKind, { clientId } = ours) => `/v2/emma/client/${clientId}/${kind}-confirm`
const signer = { name: ' Ann Lee ', role: 'CEO' }

const confirm = (kind: LegalKind, docId: number, token = admin.token) =>
  app.call('POST', confirmPath(kind), { token, body: { doc_id: docId, ...signer } })

function form(content: Buffer, filename = 'terms.pdf') {
  const border = 'x'
  const head = `--${border}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${border}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${border}` },
  }
}

const pdf = Buffer.from('%PDF-1.7\nterms')
const upload = (kind: LegalKind, id: number, content = pdf, filename = 'terms.pdf', token = superadmin) =>
  app.call('PUT', `/v2/${kind}/${id}/pdf`, { token, ...form(content, filename) })

describe.each(legalKinds)('%s', kind => {
  const path = `/v2/${kind}/`

  test('R253 R255 drafts are for superadmins, published ones for everybody', async () => {
    const draft = await add(kind)
    const document = await publish(kind)
    const { token } = await app.logIn({ clients: [ours.clientId], permissions: [] })
    for (const reader of [editor, token]) {
      const { json } = await app.call('GET', path, { token: reader })
      expect(json.data).toMatchObject([{ id: document.id }])
      expect(await app.call('GET', `${path}${draft.id}`, { token: reader })).toMatchObject({ status: 404 })
      expect(await app.call('GET', `${path}${document.id}`, { token: reader })).toMatchObject({
        status: 200,
        json: { html_de: '<p>Hello</p>' },
      })
    }
    expect(await app.call('GET', `${path}${draft.id}`, { token: superadmin })).toMatchObject({ status: 200 })
    for (const [method, url] of [
      ['POST', path],
      ['PATCH', `${path}${draft.id}`],
      ['DELETE', `${path}${draft.id}`],
    ] as const)
      expect(await app.call(method, url, { token: admin.token, body: {} })).toMatchObject({ status: 403 })
  })

  test('R099 R103 a published document cannot be changed, withdrawn or deleted', async () => {
    const draft = await add(kind)
    expect(
      await app.call('PATCH', `${path}${draft.id}`, { token: superadmin, body: { title_en: 'Better' } }),
    ).toMatchObject({ status: 200 })
    const { json } = await app.call('PATCH', `${path}${draft.id}`, {
      token: superadmin,
      body: { published: true },
    })
    expect(json).toMatchObject({ published: true, published_at: expect.any(String), title_en: 'Better' })
    const refused = { status: 409, json: { code: 'wrong_state', reason: 'refusal.document_published' } }
    const calls: [Parameters<TestApp['call']>[0], unknown?][] = [
      ['PATCH', { title_en: 'Worse' }],
      ['PATCH', { published: false }],
      ['PATCH', {}],
      ['PUT', json],
      ['DELETE'],
    ]
    for (const [method, body] of calls)
      expect(await app.call(method, `${path}${draft.id}`, { token: superadmin, body })).toMatchObject(refused)
    expect(await upload(kind, draft.id)).toMatchObject(refused)
    expect(await app.call('DELETE', `${path}${draft.id}/pdf`, { token: superadmin })).toMatchObject(refused)
    expect(await app.call('DELETE', `${path}${draft.id}?test`, { token: superadmin })).toMatchObject({
      json: { deletable: false },
    })
    expect(await app.call('GET', `${path}${draft.id}`, { token: superadmin })).toMatchObject({ json })
  })

  test('a version exists once', async () => {
    await publish(kind, { version: '1.0' })
    const body = { ...sampleOf(kind, ours), version: '1.0' }
    expect(await app.call('POST', path, { token: superadmin, body })).toMatchObject({
      status: 409,
      json: { code: 'unique_violation', fields: [{ field: 'version' }] },
    })
  })

  test.each([`/v2/${kind}:latest`, `/v2/${kind}/:latest`, `/v2/${kind}%3Alatest`, `/v2/${kind}/:latest/`])(
    'R254 R256 T16 GET %s is the newest one in force',
    async url => {
      const { token } = await app.logIn({ clients: [ours.clientId], permissions: [] })
      await add(kind)
      await publish(kind, { valid_from: '2999-01-01' })
      expect(await app.call('GET', url, { token })).toMatchObject({ status: 404 })
      await publish(kind, { valid_from: '2026-02-01' })
      const newest = await publish(kind, { valid_from: '2026-02-01' })
      await publish(kind, { valid_from: '2026-01-01' })
      expect(await app.call('GET', url, { token })).toMatchObject({ status: 200, json: { id: newest.id } })
    },
  )

  describe('the PDF', () => {
    test('is stored with a draft, uncompressed or compressed with gzip, and downloaded by who may read the document', async () => {
      const { id } = await add(kind)
      expect(await upload(kind, id, gzipSync(pdf), 'AGB für Käufer.pdf')).toMatchObject({
        status: 200,
        json: { pdf: { name: expect.stringMatching(/\.pdf$/), size: pdf.length } },
      })
      const url = `${path}${id}/pdf`
      expect(await app.call('GET', url, { token: editor })).toMatchObject({ status: 404 })
      await app.call('PATCH', `${path}${id}`, { token: superadmin, body: { published: true } })
      const answer = await app.call('GET', url, { token: editor })
      expect(answer).toMatchObject({ status: 200, text: pdf.toString() })
      expect(answer.headers).toMatchObject({
        'content-type': 'application/pdf',
        'x-content-type-options': 'nosniff',
        'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''[\w.%-]+$/),
      })
    })

    test('is refused if it is no PDF or too large, and from others than superadmins', async () => {
      const { id } = await add(kind)
      const file = [{ field: 'file' }]
      expect(await upload(kind, id, Buffer.from('<html>'))).toMatchObject({
        status: 422,
        json: { fields: file },
      })
      const large = Buffer.concat([pdf, Buffer.alloc(PDF_BYTES)])
      for (const content of [large, gzipSync(large)])
        expect(await upload(kind, id, content)).toMatchObject({ status: 413 })
      expect(await upload(kind, id, pdf, 'a.pdf', admin.token)).toMatchObject({ status: 403 })
      expect(await app.call('GET', `${path}${id}/pdf`, { token: superadmin })).toMatchObject({ status: 404 })
    })
  })

  describe('a confirmation', () => {
    test('R188 R189 stores who confirmed exactly which content, once', async () => {
      const draft = await add(kind)
      await upload(kind, draft.id)
      const { json: doc } = await app.call('PATCH', `${path}${draft.id}`, {
        token: superadmin,
        body: { published: true },
      })
      const first = await confirm(kind, draft.id)
      const content = [
        kind,
        doc.version,
        '2026-01-01',
        doc.title_en,
        doc.html_en,
        doc.title_de,
        doc.html_de,
        doc.title_es,
        doc.html_es,
        createHash('sha256').update(pdf).digest('hex'),
      ]
      expect(first).toMatchObject({
        status: 200,
        json: {
          doc_id: draft.id,
          version: draft.version,
          sha256: createHash('sha256').update(JSON.stringify(content)).digest('hex'),
          user_id: admin.userId,
          name: 'Ann Lee',
          role: 'CEO',
        },
      })
      const other = await app.logIn({ clients: [ours.clientId], administrator: true })
      const second = await confirm(kind, draft.id, other.token)
      expect(second).toMatchObject({ status: 200, json: first.json })
      const { json: list } = await app.call('GET', confirmPath(kind), { token: editor })
      expect(list).toMatchObject({ data: [first.json], pagination: { total: 1 } })
      const { rows } = await app.pool.query(`select ip from ${kind}_confirm`)
      expect(rows).toEqual([{ ip: expect.any(String) }])
    })

    test('two administrators at the same moment make one', async () => {
      const { id } = await publish(kind)
      const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(kind, id)))
      expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    })

    test('R022 R023 is of the newest document in force only', async () => {
      const old = await publish(kind)
      const newest = await publish(kind, { valid_from: '2026-02-01' })
      const future = await publish(kind, { valid_from: '2999-01-01' })
      const draft = await add(kind)
      for (const { id } of [old, future])
        expect(await confirm(kind, id)).toMatchObject({
          status: 409,
          json: {
            code: 'conflict',
            reason: 'refusal.document_newer',
            values: { version: newest.version },
          },
        })
      for (const id of [draft.id, 999_999_999]) expect(await confirm(kind, id)).toMatchObject({ status: 404 })
      expect(await confirm(kind, newest.id)).toMatchObject({ status: 200 })
    })

    test('is made by administrators of the client with the permission, or superadmins', async () => {
      const { id } = await publish(kind)
      const others = await app.logIn({ clients: [ours.clientId], administrator: true, permissions: [] })
      expect(await confirm(kind, id, editor)).toMatchObject({
        status: 403,
        json: { reason: 'refusal.document_confirmer' },
      })
      expect(await confirm(kind, id, others.token)).toMatchObject({ status: 403 })
      expect(await confirm(kind, id, stranger)).toMatchObject({ status: 404 })
      expect(await app.call('GET', confirmPath(kind), { token: stranger })).toMatchObject({ status: 404 })
      expect(await confirm(kind, id, superadmin)).toMatchObject({ status: 200 })
      const { json } = await app.call('GET', confirmPath(kind, theirs), { token: stranger })
      expect(json).toMatchObject({ data: [], pagination: { total: 0 } })
    })

    test('name and role are required', async () => {
      const { id } = await publish(kind)
      const body = { doc_id: id, name: ' ', role: '' }
      expect(await app.call('POST', confirmPath(kind), { token: admin.token, body })).toMatchObject({
        status: 422,
        json: { fields: [{ field: 'name' }, { field: 'role' }] },
      })
    })

    test('R098 R102 superadmins see which clients have confirmed', async () => {
      const { id } = await publish(kind)
      await confirm(kind, id)
      const url = `${path}${id}/confirm/`
      expect(await app.call('GET', url, { token: superadmin })).toMatchObject({
        json: { data: [{ client_id: ours.clientId, name: 'Ann Lee' }], pagination: { total: 1 } },
      })
      expect(await app.call('GET', url, { token: admin.token })).toMatchObject({ status: 403 })
    })

    test('the settings of the start-up say what is due', async () => {
      const { id, version } = await publish(kind)
      const settings = () => app.call('GET', `/user/${admin.userId}/settings/`, { token: admin.token })
      expect((await settings()).json.due_documents).toMatchObject([{ kind, doc_id: id, version }])
      await confirm(kind, id)
      expect((await settings()).json.due_documents).toEqual([])
    })
  })
})

test('T11 R307 in the demo, each user confirms the agreement for themselves, and nothing else', async () => {
  await ensureDemoClient(app.db)
  const { id } = await publish('bav')
  const terms = await publish('agb')
  const path = (kind: LegalKind) => `/v2/emma/client/${demoClientId}/${kind}-confirm`
  // The key is that of the browser's record.
  const body = { doc_id: 9001, ...signer }
  const users = [await app.logIn({ clients: [demoClientId] }), await app.logIn({ clients: [demoClientId] })]
  for (const { token } of [...users, ...users])
    expect(await app.call('POST', path('bav'), { token, body })).toMatchObject({
      status: 200,
      json: { doc_id: id },
    })
  const { rows } = await app.pool.query('select user_id from bav_confirm order by user_id')
  expect(rows.map(row => row.user_id)).toEqual(users.map(({ userId }) => userId).toSorted((a, b) => a - b))
  for (const { token } of users)
    expect(await app.call('POST', path('agb'), { token, body: { ...body, doc_id: terms.id } })).toMatchObject(
      { status: 403, json: { code: 'not_in_demo' } },
    )
})
