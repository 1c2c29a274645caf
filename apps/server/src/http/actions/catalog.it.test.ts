import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'

let app: TestApp
let token: string
let clientId: number
let others: number

beforeAll(async () => {
  app = await startTestApp()
  const ids = await app.db
    .insertInto('client')
    .values([{ name: 'Fjord & Sons' }, { name: 'Others' }])
    .returning('client_id')
    .execute()
  clientId = ids[0]?.client_id ?? 0
  others = ids[1]?.client_id ?? 0
  token = (await app.logIn({ clients: [clientId] })).token
})
afterAll(() => app.close())

interface Listing {
  count: number
  next: string
  previous: string | null
  results: { slug: string; title: string; count: number }[]
}

const get = (path: string) => app.call('GET', path, { token })

async function list(path: string): Promise<Listing> {
  const listing: unknown = (await get(path)).json
  return listing as Listing
}

test('R261, R262 categories and collections have titles and counts', async () => {
  const json = await list('/catalog/categories?lang=de')
  expect(json).toMatchObject({ count: 6, next: null, previous: null })
  expect(json.results[0]).toEqual({ id: 'newsletter', slug: 'newsletter', title: 'Newsletter', count: 3 })
  const collections = await list('/catalog/collections?pagesize=2')
  expect(collections).toMatchObject({ count: 3, next: expect.stringContaining('page=2') })
  expect(collections.results).toHaveLength(2)
})

test('R263 templates are filtered by category, collection, tag, type and search, in pages', async () => {
  const all = await list('/catalog/templates?pagesize=100')
  expect(all.results).toHaveLength(all.count)
  const second = await list('/catalog/templates?page=2&pagesize=5&lang=en')
  expect(second.results).toEqual(all.results.slice(5, 10))
  expect(second.next).toContain('page=3')
  expect(second.previous).toContain('page=1')
  expect((await list(second.next)).results).toEqual(all.results.slice(10, 15))
  const slugs = async (query: string) =>
    (await list(`/catalog/templates?${query}`)).results.map(({ slug }) => slug)
  expect(await slugs('category=event&collection=warm')).toEqual(['dinner-invitation'])
  expect(await slugs('tag=voucher')).toEqual(['member-voucher'])
  expect(await slugs('search=PROGRAMME%20table')).toEqual(['conference-program'])
  expect(await slugs('template_type=page')).toEqual([])
  expect(await slugs('category=nonsense')).toEqual([])
  expect(await slugs('page=900')).toEqual([])
  expect((await get('/catalog/templates?pagesize=101')).status).toBe(400)
  expect((await get('/catalog/templates?template_type=fax')).status).toBe(400)
})

test('R263 a design is read and rendered for a client, and makes a template', async () => {
  const design = (await get(`/catalog/templates/five-links?client_id=${clientId}`)).json
  expect(design.body_mjml).toContain('{{ client.imprint }}')
  const rendered = (await get(`/catalog/templates/monthly-review/render?client_id=${clientId}`)).json
  expect(rendered.html).toContain('Fjord &amp; Sons')
  expect(rendered.html).toContain('data:image/png;base64,')
  await app.db
    .insertInto('placeholder')
    .values({
      client_id: clientId,
      name: 'Imprint',
      token: 'imprint',
      type: 'text',
      body: '{"en":"Fjord, Oslo"}',
    })
    .execute()
  const again = (await get(`/catalog/templates/five-links?client_id=${clientId}`)).json
  expect(again.body_mjml).toContain('{{ module.imprint }}')
  const { subject, preheader, body_mjml } = again
  const body = { client_id: clientId, name: 'Five', subject, preheader, body_mjml }
  expect(await app.call('POST', '/emma/message/', { token, body })).toMatchObject({
    status: 201,
    json: { warnings: [] },
  })
})

test('designs are not found by other names, and not shown for other clients or without permission', async () => {
  for (const slug of ['nothing', 'frame', '..%2Fframe', '%2e%2e%2fdesigns'])
    expect({ slug, status: (await get(`/catalog/templates/${slug}`)).status }).toEqual({
      slug,
      status: slug.includes('%') ? 400 : 404,
    })
  expect((await get(`/catalog/templates/five-links?client_id=${others}`)).status).toBe(404)
  const blind = await app.logIn({ clients: [clientId], permissions: ['EmmaMessage:get'] })
  for (const path of ['categories', 'collections', 'templates', 'templates/five-links'])
    expect((await app.call('GET', `/catalog/${path}`, { token: blind.token })).status).toBe(403)
  expect((await app.call('GET', '/catalog/templates')).status).toBe(401)
})
