import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from './disk-storage.ts'
import { s3Storage } from './s3-storage.ts'

/** Both storages behave alike. The bucket is a server in memory that checks the signatures by itself. */

const folder = mkdtempSync(join(tmpdir(), 'emma-storage-'))
const source = join(folder, 'source')
const objects = new Map<string, Buffer>()
let server: Server
let endpoint: string

beforeAll(async () => {
  writeFileSync(source, '0123456789')
  server = createServer(async (request, response) => {
    const { range } = request.headers
    const body = await buffer(request)
    if (!isSigned(request, body)) return response.writeHead(403).end('<Error/>')
    const path = request.url ?? ''
    if (request.method === 'PUT') objects.set(path, body)
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

const bucket = (accessKeyId = 'key', secretAccessKey = 'secret') =>
  s3Storage({ endpoint, bucket: 'mail', region: 'eu-central-1', accessKeyId, secretAccessKey })

/** Signature Version 4 of S3, computed from its specification. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=key\/((\d{8})\/eu-central-1\/s3\/aws4_request), ?SignedHeaders=([\w;-]+), ?Signature=(\w{64})$/
  const [, scope = '', day = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const payload = String(headers['x-amz-content-sha256'])
  const isPayload = payload === 'UNSIGNED-PAYLOAD' || payload === sha256(body)
  const signed = names.split(';')
  const isComplete = ['host', 'x-amz-content-sha256', 'x-amz-date'].every(name => signed.includes(name))
  const lines = signed.map(name => `${name}:${String(headers[name]).trim()}`)
  const canonical = [method, url, '', ...lines, '', names, payload].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [day, 'eu-central-1', 's3', 'aws4_request'].reduce<string | Buffer>(
    (last, part) => createHmac('sha256', last).update(part).digest(),
    'AWS4secret',
  )
  return isPayload && isComplete && createHmac('sha256', key).update(text).digest('hex') === signature
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

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
  for (const other of [bucket('other'), bucket('key', 'wrong')])
    await expect(other.put('8/abc', source, 'image/png')).rejects.toThrow('answered 403')
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
