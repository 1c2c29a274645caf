import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawMail, type ReadMailImage } from './draw-mail.ts'
import { findChromium } from './find-chromium.ts'
import { runChromium } from './run-chromium.ts'

const program = findChromium(process.env.EMMA_CHROMIUM)

let server: Server
let url: string
let calls = 0

beforeAll(async () => {
  server = createServer((_, response) => {
    calls += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => server.close())

const { signal } = new AbortController()
const noImages: ReadMailImage = async () => null
const draw = (html: string, readImage = noImages) =>
  runChromium(program ?? '', { timeoutMs: 30_000, signal }, chromium => drawMail(chromium, html, readImage))

test.skipIf(!program)(
  'picture: a mail runs no scripts, reads no local files, and calls no server',
  async () => {
    const picture = await draw(`
    <link rel="stylesheet" href="${url}/style.css"><meta http-equiv="refresh" content="0;url=${url}/page">
    <style>@import url(${url}/more.css); @font-face { font-family: x; src: url(${url}/font.woff2) }</style>
    <body style="background:#0f0; font-family: x"><script>document.body.style.background = '#f00'</script>
    <iframe src="file:///etc/passwd" style="border:0"></iframe><iframe src="${url}/frame"></iframe>
    <object data="${url}/object"></object><img src="data:," onerror="document.body.remove()"></body>`)
    const { data, info } = await sharp(picture ?? undefined)
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 680, height: 816 })
    // Nothing is drawn in the first frame, nor by the script.
    const colorAt = (x: number, y: number) => roundedColor(data, (y * 680 + x) * 3)
    const green = [0, 16, 0]
    expect([colorAt(20, 16), colorAt(60, 30), colorAt(600, 800)]).toEqual([green, green, green])
    expect(await draw(`<img src="${url}/image.png">`)).toBeNull()
    expect(await draw('<p style="background-image: url(http://localhost/x.png)">Hi</p>')).toBeNull()
    expect(calls).toBe(0)
  },
)

test.skipIf(!program)('picture: images are answered from the storage', async () => {
  const image = sharp({ create: { width: 700, height: 900, channels: 3, background: '#f00' } })
  const bytes = await image.png().toBuffer()
  const picture = await draw(`<body style="margin:0"><img src="${url}/a.png">`, async () => ({
    type: 'image/png',
    bytes,
  }))
  const { data } = await sharp(picture ?? undefined)
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(roundedColor(data, 0)).toEqual([16, 0, 0])
  expect(calls).toBe(0)
})

test.skipIf(!program)('picture: what takes too long is ended, and leaves nothing behind', async () => {
  const isOurs = (name: string) => name.startsWith('emma-chromium-')
  const before = readdirSync(tmpdir()).filter(isOurs)
  const running = runChromium(program ?? '', { timeoutMs: 300, signal }, () => new Promise(() => {}))
  await expect(running).rejects.toThrow('took too long')
  expect(readdirSync(tmpdir()).filter(name => isOurs(name) && !before.includes(name))).toEqual([])
  await expect(
    runChromium('/bin/false', { timeoutMs: 30_000, signal }, () => new Promise(() => {})),
  ).rejects.toThrow('ended')
})

/** JPEG changes colors a little. */
function roundedColor(pixels: Buffer, at: number): number[] {
  return [...pixels.subarray(at, at + 3)].map(value => Math.round(value / 16))
}
