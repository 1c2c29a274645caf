import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { FILE_LIMITS } from '@emma/contract/file-storage.ts'
import type { Logger } from '../logger.ts'
import { IMAGE_LIMITS, type Limits } from '../network/limits.ts'
import { PlaceQueue } from '../network/concurrency-queue.ts'
import type { ImageAnswer, ImageResult, ImageTask } from './process-image.ts'

/** Prepares images in processes of their own, a bounded number at a time. */
export interface ImageProcesses {
  /** @throws EmmaError `invalid` (too many pixels, damaged, too slow), `busy` */
  run(clientId: number, image: Omit<ImageTask, 'pixels'>): Promise<ImageResult>
}

const PROGRAM = fileURLToPath(new URL('image-process.ts', import.meta.url))

/** @param program the file that is run, for tests */
export function createImageProcesses(
  logger: Pick<Logger, 'warn'>,
  limits: Limits<typeof IMAGE_LIMITS> = IMAGE_LIMITS,
  program = PROGRAM,
): ImageProcesses {
  const { total, perClient, waitingPerClient, waitMs, timeoutMs } = limits
  const queue = new PlaceQueue({ total, perKey: perClient, waitingPerKey: waitingPerClient, waitMs })

  async function run(image: Omit<ImageTask, 'pixels'>): Promise<ImageResult> {
    const task: ImageTask = { ...image, pixels: FILE_LIMITS.imagePixels }
    const answer = await answerOf(program, task, timeoutMs).catch((error: unknown) => {
      if (isTimeout(error)) throw invalid([fieldError('file', 'file.slow')])
      logger.warn({ err: error }, 'An image could not be processed')
      throw invalid([fieldError('file', 'file.broken')])
    })
    if ('result' in answer) return answer.result
    if (answer.fault === 'crop') throw invalid([fieldError('crop', 'file.crop')])
    throw answer.fault === 'pixels'
      ? invalid([fieldError('file', 'file.pixels', { max: FILE_LIMITS.imagePixels / 1_000_000 })])
      : invalid([fieldError('file', 'file.broken')])
  }

  return { run: (clientId, image) => queue.run(String(clientId), () => run(image)) }
}

function answerOf(program: string, task: ImageTask, timeout: number): Promise<ImageAnswer> {
  // Without the environment, which holds the secrets of the installation.
  const options = { timeout, killSignal: 'SIGKILL', maxBuffer: 10_000, env: {} } as const
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--max-old-space-size=64', program, JSON.stringify(task)],
      options,
      (error, stdout) => {
        if (error) return reject(error)
        try {
          resolve(JSON.parse(stdout))
        } catch (cause) {
          reject(cause instanceof Error ? cause : new Error(String(cause)))
        }
      },
    )
  })
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'killed' in error && error.killed === true
}
