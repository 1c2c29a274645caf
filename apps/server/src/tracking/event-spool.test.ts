import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { type TrackingEvent, formatEvent } from './tracking-event.ts'
import { openEventSpool } from './event-spool.ts'

const hit: TrackingEvent = {
  type: 'open',
  token: 'A'.repeat(34),
  at: 1,
  linkIndex: null,
  ip: '192.0.2.1',
  userAgent: 'a'.repeat(400),
  method: 'GET',
  isAhead: false,
  isForwarded: false,
}

it('the event spool releases the memory of a peak', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const usedBytes = () => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  const folder = mkdtempSync(join(tmpdir(), 'emma-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const journal = await openEventSpool(folder, pino({ level: 'silent' }))
  onTestFinished(() => journal.close())
  const before = usedBytes()
  const hits = 60_000
  for (let index = 0; index < hits; index++) journal.add(hit)
  const bytes = hits * formatEvent(hit).length
  expect(usedBytes() - before).toBeGreaterThan(bytes)
  const writtenBytes = () =>
    readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  await expect.poll(writtenBytes).toBe(bytes)
  await expect.poll(() => usedBytes() - before).toBeLessThan(2_000_000)
})
