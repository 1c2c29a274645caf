import { createHash, createHmac } from 'node:crypto'
import { type ApiLogin, baseUrlOf } from './esp-login.ts'
import type { HttpRequest } from './http-call.ts'

/**
 * Signs a call to Amazon SES (AWS Signature Version 4): headers and body, with the scope of a day, region and
 * service.
 */
export function signAws(request: HttpRequest, login: ApiLogin, now: Date): HttpRequest {
  const region = login.region ?? 'us-east-1'
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const hash = sha256(request.body)
  const headers: Record<string, string> = {
    ...request.headers,
    host: new URL(baseUrlOf(login)).host,
    'x-amz-content-sha256': hash,
    'x-amz-date': time,
  }
  const names = Object.keys(headers).toSorted()
  const signedNames = names.join(';')
  const lines = names.map(name => `${name}:${(headers[name] ?? '').trim()}\n`).join('')
  const canonical = [request.method, request.path, '', lines, signedNames, hash].join('\n')
  const scope = `${day}/${region}/ses/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 'ses', 'aws4_request'].reduce<Buffer>(
    (previous, part) => hmac(previous, part),
    Buffer.from(`AWS4${login.secret}`),
  )
  const signature = hmac(key, toSign).toString('hex')
  const credential = `Credential=${login.username}/${scope}`
  headers.authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signedNames}, Signature=${signature}`
  return { ...request, headers }
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
