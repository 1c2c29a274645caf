import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  finishPicture,
  keepPicture,
  type PictureTask,
  postponePicture,
  takePicture,
} from '@emma/core/content/mail-pictures.ts'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Config } from '../config.ts'
import { createPreviewPool } from '../content/preview-pool.ts'
import { incomingFolder, openFileStorage } from '../files/open-file-storage.ts'
import { createImageProcesses } from '../files/run-image-process.ts'
import type { Logger } from '../logger.ts'
import { PICTURE_LIMITS, PREVIEW_LIMITS } from '../network/limits.ts'
import { drawMail } from '../pictures/draw-mail.ts'
import { findChromium } from '../pictures/find-chromium.ts'
import { createMailImages } from '../pictures/read-mail-image.ts'
import { renderSubject } from '../pictures/render-subject.ts'
import { runChromium } from '../pictures/run-chromium.ts'

/** Milliseconds between checks for pictures that are due. */
const PAUSE_MS = 1_000

/**
 * Draws the pictures of mails that have changed, one at a time. Without Chromium there are none, and the console shows
 * the mails themselves.
 */
export function startPictures(db: Db, config: Config, logger: Logger): { stop(): Promise<void> } {
  const program = findChromium(config.chromium)
  if (program === null) return { stop: async () => {} }
  const stopped = new AbortController()
  const drawing = createDrawing({ db, config, logger, program, signal: stopped.signal })
  const running = run()

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const hasDrawn = await drawing.drawNext().catch((error: unknown) => {
        logger.error({ err: error }, 'Pictures of mails could not be drawn')
        return false
      })
      if (!hasDrawn) await sleep(PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    async stop() {
      stopped.abort()
      await running
      await drawing.close()
    },
  }
}

interface DrawingOptions {
  db: Db
  config: Config
  logger: Logger
  /** Path of Chromium. */
  program: string
  signal: AbortSignal
}

/** Draws pictures that are due. */
export function createDrawing({ db, config, logger, program, signal }: DrawingOptions) {
  const storage = openFileStorage(config)
  const folder = incomingFolder(config)
  const images = createImageProcesses(logger)
  const { timeoutMs } = PICTURE_LIMITS
  const previews = createPreviewPool(undefined, { ...PREVIEW_LIMITS, total: 1, timeoutMs })

  async function draw(task: PictureTask): Promise<void> {
    try {
      await drawTask(task)
    } catch (error) {
      if (signal.aborted) return
      const { client_id, subject } = task
      logger.warn({ err: error, client_id, subject }, 'The picture of a mail could not be drawn')
      await postponePicture(db, storage, task)
    }
  }

  async function drawTask(task: PictureTask): Promise<void> {
    const html = await renderSubject(db, previews, config.trackingUrl, task)
    if (html === null) return finishPicture(db, storage, task, null)
    const hash = createHash('sha256').update(html).digest()
    if (task.html_hash?.equals(hash)) return keepPicture(db, task)
    const jpeg = await drawHtml(html, task.client_id, storage)
    if (jpeg === null) return finishPicture(db, storage, task, null)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID())
    try {
      await writeFile(path, jpeg, { mode: 0o600 })
      const image = await images.run(task.client_id, { path, type: 'image/jpeg' })
      await finishPicture(db, storage, task, { hash, large: image.path, small: image.thumbnail })
    } finally {
      for (const ending of ['', '.thumb', '.out']) await rm(`${path}${ending}`, { force: true })
    }
  }

  function drawHtml(html: string, clientId: number, files: FileStorage): Promise<Buffer | null> {
    const readImage = createMailImages(db, files, clientId)
    return runChromium(program, { timeoutMs, signal }, chromium => drawMail(chromium, html, readImage))
  }

  return {
    /** @returns whether a picture was due */
    async drawNext(): Promise<boolean> {
      const task = await takePicture(db)
      if (task) await draw(task)
      return task !== null
    },
    close: () => previews.close(),
  }
}
