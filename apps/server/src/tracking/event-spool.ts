import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../logger.ts'
import { formatEvent, type TrackingEvent } from './tracking-event.ts'

/** Writes tracking events to files at high rates, from where they are stored in the database. */
export interface EventSpool {
  add(hit: TrackingEvent): void
  /** True if too much waits to be stored to accept unverified events. */
  isBehind(): boolean
  /** Writes what is buffered, and closes. */
  close(): Promise<void>
}

/** Milliseconds until an event is written: a killed process loses the later ones. */
const WRITE_AFTER = 20

/** Milliseconds until an event is synced: a power cut loses the later ones. */
const SYNC_AFTER = 500

/** Bytes of a file before the next one begins. */
const FULL = 32 * 1024 * 1024

/** Number of waiting files from which the spool is behind. */
const MOST_WAITING = 8

/**
 * Maximum buffered bytes while the disk is slow, full or missing; beyond, new events are dropped and counted in the
 * log.
 */
const MOST_HELD = 64 * 1024 * 1024

/** Maximum bytes of a line, and the initial buffer size. */
const LONGEST_LINE = 1_024
const FIRST_HELD = 256 * 1024

/** Opens a new spool file in `folder`; existing files are not changed. */
export async function openEventSpool(folder: string, logger: Logger): Promise<EventSpool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let { file, waiting } = await openNext(folder)
  let size = 0
  // A byte buffer: strings would keep the requests they were sliced from in memory until they are written.
  let held = Buffer.allocUnsafe(FIRST_HELD)
  let spare = Buffer.allocUnsafe(FIRST_HELD)
  let length = 0
  let writingLength = 0
  let dropped = 0
  let isDirty = false
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null
  const syncing = setInterval(() => {
    if (isDirty) void sync()
  }, SYNC_AFTER)

  return {
    add(hit) {
      if (length + LONGEST_LINE > held.length && !grow()) return drop()
      length += held.write(formatEvent(hit), length, 'latin1')
      timer ??= setTimeout(start, WRITE_AFTER)
    },
    isBehind: () => waiting > MOST_WAITING,
    async close() {
      clearInterval(syncing)
      await writing
      start()
      await writing
      await sync()
      await file.close()
    },
  }

  function start(): void {
    if (timer) clearTimeout(timer)
    timer = null
    writing ??= write().finally(() => {
      writing = null
      if (length > 0) timer ??= setTimeout(start, WRITE_AFTER)
    })
  }

  function grow(): boolean {
    const capacity = Math.min(held.length * 2, MOST_HELD - writingLength)
    if (capacity <= held.length) return false
    held = Buffer.concat([held.subarray(0, length)], capacity)
    return true
  }

  /** Shrinks the buffer after a peak, once a write used less than a quarter of it or nothing arrived meanwhile. */
  function shrink(written: number): void {
    if (spare.length > FIRST_HELD && (length === 0 || written < spare.length / 4))
      spare = Buffer.allocUnsafe(FIRST_HELD)
    if (held.length > FIRST_HELD && length === 0) held = Buffer.allocUnsafe(FIRST_HELD)
  }

  /** Writes the buffer, while new events go to the other one. */
  async function write(): Promise<void> {
    const [lines, end] = [held, length]
    held = spare
    spare = lines
    length = 0
    writingLength = end
    try {
      await writeAll(lines.subarray(0, end))
      shrink(end)
      if (size > FULL) await rotate()
    } catch (error) {
      logger.error({ err: error }, 'Tracking events could not be written to disk; retrying')
    } finally {
      writingLength = 0
    }
  }

  /** At a fixed offset: lines that a full disk truncated are overwritten, followed by later ones. */
  async function writeAll(lines: Buffer): Promise<void> {
    try {
      for (let done = 0; done < lines.length; )
        done += (await file.write(lines, done, lines.length - done, size + done)).bytesWritten
    } catch (error) {
      held = Buffer.concat([lines, held.subarray(0, length), Buffer.alloc(LONGEST_LINE)])
      length += lines.length
      spare = Buffer.allocUnsafe(FIRST_HELD)
      throw error
    }
    size += lines.length
    isDirty = true
  }

  async function rotate(): Promise<void> {
    const next = await openNext(folder)
    await file.close()
    file = next.file
    waiting = next.waiting
    size = 0
  }

  async function sync(): Promise<void> {
    isDirty = false
    await file
      .datasync()
      .catch((error: unknown) => logger.debug({ err: error }, 'Tracking events could not be synced'))
  }

  function drop(): void {
    if (dropped++ % 10_000 === 0)
      logger.error({ dropped }, 'Too many tracking events wait for the disk: some are lost')
  }
}

/** Spool files, oldest first. */
export async function journalFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(name => /^\d{10}-[\da-f-]{36}\.log$/.test(name)).toSorted()
}

/** Numbered consecutively, so that the order does not depend on a clock; the name is unique among machines. */
async function openNext(folder: string): Promise<{ file: FileHandle; waiting: number }> {
  const files = await journalFiles(folder)
  const last = files.at(-1)
  const number = last === undefined ? 1 : Number(last.slice(0, 10)) + 1
  const name = `${String(number).padStart(10, '0')}-${randomUUID()}.log`
  return { file: await open(join(folder, name), 'wx', 0o600), waiting: files.length }
}
