import type { RunningEmma } from './launch-emma.ts'
import { logIn } from './log-in.ts'

/** Response of the API, untyped: tests fail if it is not as expected. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>

/** API calls as a user; a status from 400 on throws an error with the body. */
export interface ApiSession {
  get(path: string): Promise<Json>
  post(path: string, body?: unknown): Promise<Json>
  patch(path: string, body: unknown): Promise<Json>
  put(path: string, body: unknown): Promise<Json>
  upload(path: string, data: unknown, file: Uint8Array<ArrayBuffer>, filename: string): Promise<Json>
  text(path: string): Promise<string>
}

export async function openApi({ url }: RunningEmma, username = 'admin'): Promise<ApiSession> {
  const token = await logIn({ url }, username)

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }

  const json = async (response: Response) => (await response.json()) as Json
  return {
    get: async path => json(await call('GET', path)),
    post: async (path, body = {}) => json(await call('POST', path, body)),
    patch: async (path, body) => json(await call('PATCH', path, body)),
    put: async (path, body) => json(await call('PUT', path, body)),
    text: async path => (await call('GET', path)).text(),
    async upload(path, data, file, filename) {
      const form = new FormData()
      form.set('data', new Blob([JSON.stringify(data)], { type: 'application/json' }))
      form.set('file', new Blob([file], { type: 'text/csv' }), filename)
      return json(await call('POST', path, form))
    },
  }
}

/** Repeats a request until its result matches; returns the last result after the timeout. */
export async function until<T>(
  ask: () => Promise<T>,
  fits: (value: T) => boolean,
  seconds = 120,
): Promise<T> {
  const end = Date.now() + seconds * 1000
  let value = await ask()
  while (!fits(value)) {
    if (Date.now() > end)
      throw new Error(`Nothing fitting within ${seconds} s; last: ${JSON.stringify(value).slice(0, 2000)}`)
    await new Promise(resolve => setTimeout(resolve, 250))
    value = await ask()
  }
  return value
}
