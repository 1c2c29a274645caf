import { crc32, deflateSync } from 'node:zlib'
import type { StorageMeta, StorageRefusal } from '@emma/contract/file-storage.ts'
import sharp from 'sharp'
import type { TestApp } from './app.ts'

/** A file as sent by a form. */
export interface FormFile {
  name: string
  type: string
  bytes: Buffer
}

export interface StorageAnswer {
  status: number
  json: { status: string; data: { meta: StorageMeta; items: StorageMeta[] } }
  refusal: StorageRefusal
}

/** Calls the file storage; `files` are sent as multipart/form-data after `fields`. */
export async function callStorage(
  { app }: TestApp,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  ask: { token?: string; files?: readonly FormFile[]; fields?: Record<string, string>; body?: unknown } = {},
): Promise<StorageAnswer> {
  const headers: Record<string, string> =
    ask.token === undefined ? {} : { authorization: `Bearer ${ask.token}` }
  let payload: Buffer | string | undefined
  if (ask.files) {
    const form = new FormData()
    for (const [name, value] of Object.entries(ask.fields ?? {})) form.append(name, value)
    for (const { name, type, bytes } of ask.files)
      form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
    const encoded = new Response(form)
    headers['content-type'] = encoded.headers.get('content-type') ?? ''
    payload = Buffer.from(await encoded.arrayBuffer())
  } else if (ask.body !== undefined) {
    headers['content-type'] = 'application/json'
    payload = JSON.stringify(ask.body)
  }
  const url = `/api/cloudstorage${path}`
  const response = await app.inject(
    payload === undefined ? { method, url, headers } : { method, url, headers, payload },
  )
  const json = JSON.parse(response.body)
  return { status: response.statusCode, json, refusal: json }
}

/** A valid PNG; `seed` changes its bytes. */
export async function pngFile(name = 'logo.png', seed = 0): Promise<FormFile> {
  const background = { r: seed % 256, g: 120, b: 80 }
  const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, type: 'image/png', bytes }
}

/** A PNG of a few bytes that says to be that large. */
export function bombFile(width: number, height: number): FormFile {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(100_000))
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { name: 'bomb.png', type: 'image/png', bytes }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
