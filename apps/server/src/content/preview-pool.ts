import { EmmaError } from '@emma/contract/errors.ts'
import type { PreviewContent } from '@emma/core/content/render-message.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import type { Preview } from '@emma/mail/template/preview.ts'
import { ContentError, type Part, TemplateError } from '@emma/mail/template/template-error.ts'
import { createThread, ThreadMemoryExceeded, ThreadTimeout } from '../run-in-thread.ts'

export interface PreviewInput {
  source: ContentSource
  data: MergeData
}

/** What a thread answers: a preview, or the faults of the content. */
export type PreviewAnswer =
  | { preview: Preview }
  | { faults: readonly { part: Part; line: number; column: number; message: string }[] }

/** Threads that preview templates. */
export interface PreviewPool {
  /**
   * @throws ContentError when the content cannot be compiled
   * @throws EmmaError `too_many` when previews of this client are waiting already, `too_large` when one takes more time
   * or memory than a template may; its thread is ended
   */
  preview: PreviewContent
  close(): Promise<void>
}

const THREADS = 2
const MAX_WAITING_PER_CLIENT = 10
const PREVIEW_THREAD = new URL('preview-thread.ts', import.meta.url)
const PREVIEW_LIMITS = { timeoutMs: 10_000, memoryMb: 256 }

/**
 * Starts no thread before the first preview. A client has one preview at a time, so that its templates never occupy all
 * threads.
 */
export function createPreviewPool(file = PREVIEW_THREAD, limits = PREVIEW_LIMITS): PreviewPool {
  const threads = Array.from({ length: THREADS }, () => ({
    waiting: 0,
    thread: createThread<PreviewInput, PreviewAnswer>(file, limits),
  }))
  const queues = new Map<number, { waiting: number; last: Promise<unknown> }>()

  async function run(input: PreviewInput): Promise<PreviewAnswer> {
    const slot = threads.reduce((best, next) => (next.waiting < best.waiting ? next : best))
    slot.waiting++
    try {
      return await slot.thread.run(input)
    } catch (error) {
      if (!(error instanceof ThreadTimeout || error instanceof ThreadMemoryExceeded)) throw error
      throw new EmmaError('too_large', 'This template takes too much time or memory.')
    } finally {
      slot.waiting--
    }
  }

  async function preview(clientId: number, source: ContentSource, data: MergeData): Promise<Preview> {
    const queue = queues.get(clientId) ?? { waiting: 0, last: Promise.resolve() }
    if (queue.waiting >= MAX_WAITING_PER_CLIENT) throw new EmmaError('too_many')
    queues.set(clientId, queue)
    queue.waiting++
    const answer = queue.last.then(() => run({ source, data }))
    queue.last = answer.catch(() => {})
    try {
      return previewOf(await answer)
    } finally {
      queue.waiting--
      if (queue.waiting === 0) queues.delete(clientId)
    }
  }

  return {
    preview,
    async close() {
      await Promise.all(threads.map(({ thread }) => thread.close()))
    },
  }
}

function previewOf(answer: PreviewAnswer): Preview {
  if ('preview' in answer) return answer.preview
  throw new ContentError(
    answer.faults.map(({ part, line, column, message }) => new TemplateError(part, line, column, message)),
  )
}
