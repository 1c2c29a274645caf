import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from './disk-storage.ts'
import { s3Storage } from './s3-storage.ts'

/** Both storages behave alike. The bucket is a server in memory that checks form, not signatures. */

const folder = mkdtempSync(join(tmpdir(), 'emma-storage-'))
const source = join(folder, 'source')
const objects = new Map<string, Buffer>()
let server: Server
let endpoint: string

beforeAll(async () => {
  writeFileSync(source, '0123456789')
  server = createServer(async (request, response) => {
    const { authorization = '', range } = request.headers
    if (!authorization.startsWith('AWS4-HMAC-SHA256 Credential=key/'))
      return response.writeHead(403).end('<Error/>')
    const path = request.url ?? ''
    if (request.method === 'PUT') objects.set(path, await buffer(request))
    if (request.method === 'DELETE') objects.delete(path)
    if (request.method !== 'GET') return response.writeHead(request.method === 'PUT' ? 200 : 204).end()
    const object = objects.get(path)
    if (!object) return response.writeHead(404).end('<Error/>')
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (start === undefined) return response.writeHead(200).end(object)
    return response.writeHead(206).end(object.subarray(Number(start), Number(end) + 1))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const bucket = (accessKeyId = 'key') =>
  s3Storage({ endpoint, bucket: 'mail', region: 'eu-central-1', accessKeyId, secretAccessKey: 'secret' })

describe.each<[string, () => FileStorage]>([
  ['disk', () => diskStorage(join(folder, 'files'))],
  ['bucket', () => bucket()],
])('%s', (_name, open) => {
  test('stores, reads in full and in part, and removes a content', async () => {
    const storage = open()
    expect(await storage.get('7/abc')).toBeNull()
    await storage.put('7/abc', source, 'image/png')
    await storage.put('7/abc.thumb', source, 'image/webp')
    expect(String(await read(storage, '7/abc'))).toBe('0123456789')
    expect(String(await read(storage, '7/abc', { start: 2, end: 4 }))).toBe('234')
    await storage.remove('7/abc')
    await storage.remove('7/abc')
    expect(await storage.get('7/abc')).toBeNull()
    expect(String(await read(storage, '7/abc.thumb'))).toBe('0123456789')
  })
})

test('disk: a key outside of the folder is an error', async () => {
  const storage = diskStorage(join(folder, 'files'))
  for (const key of ['../source', '7/../../source', '/etc/passwd', '7/a/b', '7/a.png', ''])
    await expect(storage.get(key)).rejects.toThrow('is no key')
})

test('bucket: objects are below files/, and a rejected key is an error', async () => {
  await bucket().put('8/abc', source, 'image/png')
  expect([...objects.keys()]).toContain('/mail/files/8/abc')
  await expect(bucket('other').put('8/abc', source, 'image/png')).rejects.toThrow('answered 403')
})

async function read(
  storage: FileStorage,
  key: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  const stream = await storage.get(key, range)
  if (stream === null) throw new Error(`There is no ${key}`)
  return buffer(stream)
}
