import { createTestDatabase } from '@emma/db/test/database.ts'
import { expect, onTestFinished, test } from 'vitest'
import { publicPath, storeFile } from '../files/store-file.ts'
import { addTestTenant, testMessages, type TestTenant } from '../test/campaign.ts'

test('a heavy image of the file manager is a warning at its place, those of other clients are unknown', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const [tenant, foreign] = [await addTestTenant(db), await addTestTenant(db)]
  const heavy = await addImage(tenant, 'beach.jpg', 900_000)
  const light = await addImage(tenant, 'logo.jpg', 20_000)
  const theirs = await addImage(foreign, 'theirs.jpg', 900_000)
  const image = (path: string) => `<p><img alt="a" src="https://t.example${path}"></p>`
  const { warnings } = await testMessages.create(db, tenant.actor, tenant.clientId, {
    name: 'News',
    subject: 'News',
    body_long:
      [light, heavy, theirs].map(image).join('\n') + '<a href="{{ link.unsubscribe }}">Unsubscribe</a>',
  })
  expect(warnings.filter(({ code }) => code === 'image-too-heavy')).toMatchObject([
    { severity: 'warning', values: { picture: 'beach.jpg', size: '0.9 MB', max: '0.5 MB' }, line: 2 },
  ])

  async function addImage({ clientId, actor }: TestTenant, name: string, size: number): Promise<string> {
    const file = {
      path: '/dev/null',
      type: 'image/jpeg',
      size,
      sha256: Buffer.alloc(32),
      width: 10,
      height: 10,
      thumbnail: null,
      sent: { name, type: 'image/jpeg', size },
    } as const
    const storage = { put: async () => {}, get: async () => null, remove: async () => {} }
    const path = { clientId, folder: '/', name, isFolder: false }
    return publicPath((await storeFile(db, storage, actor, path, file, 'replace')).row)
  }
})
