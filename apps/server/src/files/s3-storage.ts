import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import { AwsClient } from 'aws4fetch'

/** A bucket of any S3-compatible service, addressed by path: `{endpoint}/{bucket}/{key}`. */
export interface Bucket {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const TIMEOUT_MS = 30_000

/** Contents in a bucket, below `files/`. The bucket needs no public access: EMMA serves the files. */
export function s3Storage({ endpoint, bucket, region, accessKeyId, secretAccessKey }: Bucket): FileStorage {
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })

  async function call(key: string, init: RequestInit): Promise<Response> {
    const url = `${endpoint}/${bucket}/files/${key}`
    const response = await aws.fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.ok || response.status === 404) return response
    const text = await response.text()
    throw new Error(
      `The file storage answered ${response.status} to ${init.method} ${url}: ${text.slice(0, 500)}`,
    )
  }

  return {
    async put(key, path, type) {
      // In memory: S3 needs the length, and files have at most 20 MB.
      const body = new Uint8Array(await readFile(path))
      const response = await call(key, { method: 'PUT', body, headers: { 'content-type': type } })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The bucket ${bucket} does not exist`)
    },
    async get(key, range) {
      const headers: HeadersInit = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const response = await call(key, { method: 'GET', headers })
      if (response.ok && response.body) return Readable.from(response.body)
      await response.body?.cancel()
      return null
    },
    async remove(key) {
      const response = await call(key, { method: 'DELETE' })
      await response.body?.cancel()
    },
  }
}
