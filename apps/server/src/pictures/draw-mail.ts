import type { Chromium, ChromiumEvent } from './run-chromium.ts'

/** Size of a picture in px: the upper part of a mail at the usual layout width. */
export const PICTURE = { width: 680, height: 816 } as const

/** Most requests of a mail; further ones fail. */
const REQUESTS = 200

/** The page's address. It is answered here, as all others. */
const ADDRESS = 'http://mail.invalid/'

/** No scripts, frames, forms or connections. */
const POLICY =
  "sandbox; default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; font-src data:; base-uri 'none'"

/** Extends the background color of short mails to the lower edge. */
const FILLED = '<style>body{min-height:100vh;box-sizing:border-box}</style>'

/** An image of the file storage or the catalogue, by the address in a mail; null if it is another one. */
export type ReadMailImage = (url: string) => Promise<{ type: string; bytes: Buffer } | null>

/**
 * Draws the upper part of a mail.
 * @returns a JPEG; null if the mail shows images of other servers, which are not fetched: its picture would lack them
 */
export async function drawMail(
  chromium: Chromium,
  html: string,
  readImage: ReadMailImage,
): Promise<Buffer | null> {
  const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await chromium.send('Target.attachToTarget', { targetId, flatten: true })
  const send = (method: string, params?: object) => chromium.send(method, params, String(sessionId))
  let isComplete = true
  let requests = 0

  async function answer({ requestId, request, resourceType }: Paused): Promise<void> {
    requests += 1
    const found = requests > REQUESTS ? null : await contentOf(request.url, resourceType)
    if (found === null) {
      if (resourceType === 'Image') isComplete = false
      return void (await send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }))
    }
    const headers = {
      'content-type': found.type,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
    }
    await send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body: found.bytes.toString('base64'),
    })
  }

  async function contentOf(url: string, type: string) {
    if (type === 'Document' && url === ADDRESS && requests === 1)
      return { type: 'text/html; charset=utf-8', bytes: Buffer.from(html + FILLED) }
    return type === 'Image' ? readImage(url) : null
  }

  const loaded = new Promise<void>((resolve, reject) => {
    chromium.listen(event => {
      if (event.method === 'Page.loadEventFired') resolve()
      if (isPaused(event)) answer(event.params).catch(reject)
    })
  })
  await send('Emulation.setScriptExecutionDisabled', { value: true })
  await send('Emulation.setDeviceMetricsOverride', { ...PICTURE, deviceScaleFactor: 1, mobile: false })
  await send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  await send('Page.enable')
  await send('Page.navigate', { url: ADDRESS })
  await loaded
  if (!isComplete) return null
  const { data } = await send('Page.captureScreenshot', { format: 'jpeg', quality: 85 })
  return Buffer.from(String(data), 'base64')
}

interface Paused {
  requestId: string
  request: { url: string }
  resourceType: string
}

function isPaused(
  event: ChromiumEvent,
): event is { method: string; params: Record<string, unknown> & Paused } {
  return event.method === 'Fetch.requestPaused'
}
