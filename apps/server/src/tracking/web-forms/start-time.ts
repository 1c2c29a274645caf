import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs the time at which a form was shown; the text is part of the form. */
export function signStart(key: Buffer, hash: string, now: number): string {
  const time = now.toString(36)
  return `${time}.${signature(key, hash, time)}`
}

/** Milliseconds since a form was shown; null for another form's time, or one that was not signed. */
export function startAge(key: Buffer, hash: string, start: string, now: number): number | null {
  const [, time = '', signed = ''] = /^([0-9a-z]{1,9})\.([\w-]{22})$/.exec(start) ?? []
  if (signed === '' || !timingSafeEqual(Buffer.from(signed), Buffer.from(signature(key, hash, time))))
    return null
  return now - Number.parseInt(time, 36)
}

function signature(key: Buffer, hash: string, time: string): string {
  return createHmac('sha256', key).update(`${hash}.${time}`).digest().subarray(0, 16).toString('base64url')
}
