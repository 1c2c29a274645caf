import { EmmaError } from '@emma/contract/errors.ts'
import type { PreviewContent, RenderCanvas } from '@emma/core/content/render-message.ts'
import type { PreviewCanvas } from '@emma/mail/edit/preview-canvas.ts'
import type { MailFault } from '@emma/mail/mail-fault.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import type { Preview } from '@emma/mail/template/preview.ts'
import { ContentError, type Part, TemplateError } from '@emma/mail/template/template-error.ts'
import { type Limits, PREVIEW_LIMITS } from '../network/limits.ts'
import { PlaceQueue } from '../network/concurrency-queue.ts'
import { createThread, ThreadMemoryExceeded, ThreadTimeout } from '../run-in-thread.ts'
import { fault } from '@emma/contract/faults.ts'

export interface PreviewInput {
  source: ContentSource
  data: MergeData
  hasPreview: boolean
  hasCanvas: boolean
}

/** Result of a thread: what it was asked for, or the faults of the content. */
export type PreviewAnswer =
  | { preview: Preview | null; canvas: PreviewCanvas | null }
  | { faults: readonly { part: Part; line: number; column: number; fault: MailFault }[] }

/** Worker threads that preview templates. */
export interface PreviewPool {
  /**
   * @throws ContentError if the content cannot be compiled
   * @throws EmmaError `busy` if it would wait too long for a thread, `too_large` if it takes more time or memory than
   * a template may, excluding waiting; its thread is terminated
   */
  preview: PreviewContent
  /** Throws as `preview`. */
  canvas: RenderCanvas
  close(): Promise<void>
}

const PREVIEW_THREAD = new URL('preview-thread.ts', import.meta.url)

/**
 * Starts threads on demand. A client has one running preview at a time, so that its templates never occupy all
 * threads.
 */
export function createPreviewPool(
  file = PREVIEW_THREAD,
  limits: Limits<typeof PREVIEW_LIMITS> = PREVIEW_LIMITS,
): PreviewPool {
  const { total, perClient, waitingPerClient, waitMs, timeoutMs } = limits
  const memoryMb = limits.threadMemoryBytes / 1_048_576
  const threads = Array.from({ length: total }, () =>
    createThread<PreviewInput, PreviewAnswer>(file, { timeoutMs, memoryMb }),
  )
  const idle = [...threads]
  const queue = new PlaceQueue({ total, perKey: perClient, waitingPerKey: waitingPerClient, waitMs })

  async function run(input: PreviewInput): Promise<PreviewAnswer> {
    const thread = idle.pop()
    if (!thread) throw new Error('There are more previews at once than threads.')
    try {
      return await thread.run(input)
    } catch (error) {
      if (!(error instanceof ThreadTimeout || error instanceof ThreadMemoryExceeded)) throw error
      throw new EmmaError('too_large', fault('refusal.template_costly'))
    } finally {
      idle.push(thread)
    }
  }

  const ask = async (clientId: number, input: PreviewInput) =>
    withoutFaults(await queue.run(String(clientId), () => run(input)))

  return {
    async preview(clientId, source, data, hasCanvas = false) {
      const { preview, canvas } = await ask(clientId, { source, data, hasPreview: true, hasCanvas })
      if (!preview) throw new Error('There is no preview in the answer.')
      return { ...preview, ...(hasCanvas && { canvas }) }
    },
    async canvas(clientId, source, data) {
      return (await ask(clientId, { source, data, hasPreview: false, hasCanvas: true })).canvas
    },
    async close() {
      await Promise.all(threads.map(thread => thread.close()))
    },
  }
}

function withoutFaults(answer: PreviewAnswer) {
  if ('preview' in answer) return answer
  throw new ContentError(
    answer.faults.map(({ part, line, column, fault }) => new TemplateError(part, line, column, fault)),
  )
}
