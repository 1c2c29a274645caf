/**
 * Makes the sounds and the video of apps/console/public/eggs anew, from nothing but arithmetic: `node
 * scripts/make-egg-media.ts`. The video is recorded in Chromium (EMMA_CHROMIUM names another than /usr/bin/chromium).
 */
import { writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const folder = new URL('../apps/console/public/eggs/', import.meta.url)
const rate = 11_025

writeFileSync(new URL('helper.wav', folder), wave(0.45, helperSound))
writeFileSync(new URL('catchphrase.wav', folder), wave(0.7, fanfare))
writeFileSync(new URL('click.wav', folder), wave(0.08, click))
writeFileSync(new URL('video.webm', folder), await recordVideo())

/** A chirp that rises twice: "at your service". */
function helperSound(second: number): number {
  const part = second % 0.22
  return Math.sin(2 * Math.PI * (500 + 2600 * part) * part) * Math.exp(-part * 9)
}

/** Three notes of a major chord, each a little longer. */
function fanfare(second: number): number {
  const [note, since] =
    second < 0.15 ? [392, second] : second < 0.3 ? [494, second - 0.15] : [587, second - 0.3]
  const tone = Math.sin(2 * Math.PI * note * second) + 0.4 * Math.sin(4 * Math.PI * note * second)
  return (tone / 1.4) * Math.exp(-since * 4)
}

function click(second: number): number {
  return Math.sin(2 * Math.PI * 1800 * second) * Math.exp(-second * 90)
}

/** 8 bit, mono. */
function wave(seconds: number, sample: (second: number) => number): Buffer {
  const length = Math.round(seconds * rate)
  const file = Buffer.alloc(44 + length)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + length, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(length, 40)
  for (let at = 0; at < length; at++) file[44 + at] = Math.round(128 + 100 * sample(at / rate))
  return file
}

/** Two seconds of a rotating envelope, with a scale as sound. */
async function recordVideo(): Promise<Buffer> {
  const browser = await chromium.launch({
    executablePath: process.env.EMMA_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  })
  try {
    const page = await browser.newPage()
    const base64 = await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 160
      canvas.height = 90
      const pen = canvas.getContext('2d')
      const sound = new AudioContext()
      const out = sound.createMediaStreamDestination()
      const tone = sound.createOscillator()
      tone.type = 'triangle'
      for (const [step, note] of [262, 330, 392, 523].entries())
        tone.frequency.setValueAtTime(note, sound.currentTime + step * 0.5)
      tone.connect(out)
      tone.start()
      const stream = new MediaStream([...canvas.captureStream(15).getTracks(), ...out.stream.getTracks()])
      const recorder = new MediaRecorder(stream, {
        mimeType: 'video/webm;codecs=vp8,opus',
        videoBitsPerSecond: 60_000,
        audioBitsPerSecond: 16_000,
      })
      const parts: Blob[] = []
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
      const begin = performance.now()
      const draw = () => {
        if (!pen) return
        pen.fillStyle = '#fff4e6'
        pen.fillRect(0, 0, 160, 90)
        pen.save()
        pen.translate(80, 45)
        pen.rotate(((performance.now() - begin) / 2000) * 2 * Math.PI)
        pen.fillStyle = '#e8590c'
        pen.fillRect(-32, -20, 64, 40)
        pen.strokeStyle = '#fff'
        pen.lineWidth = 3
        pen.stroke(new Path2D('M-32 -20 0 6 32 -20'))
        pen.restore()
      }
      const drawing = setInterval(draw, 50)
      const stopped = new Promise(resolve => recorder.addEventListener('stop', resolve))
      recorder.start()
      setTimeout(() => recorder.stop(), 2000)
      await stopped
      clearInterval(drawing)
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
      return btoa(String.fromCharCode(...bytes))
    })
    return Buffer.from(base64, 'base64')
  } finally {
    await browser.close()
  }
}
