import { parentPort } from 'node:worker_threads'
import { previewCanvas } from '@emma/mail/edit/preview-canvas.ts'
import { previewContent } from '@emma/mail/template/preview-content.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import type { ThreadAnswer } from '../run-in-thread.ts'
import type { PreviewAnswer, PreviewInput } from './preview-pool.ts'

/** Compiles and renders previews in a worker thread, because templates are untrusted. */
parentPort?.on('message', async (input: PreviewInput) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(await answerTo(input))
})

async function answerTo({ source, data, hasCanvas }: PreviewInput): Promise<ThreadAnswer<PreviewAnswer>> {
  try {
    const preview = await previewContent(source, data)
    const canvas = hasCanvas && { canvas: await previewCanvas(source, data) }
    return { result: { preview: { ...preview, ...canvas } } }
  } catch (error) {
    if (!(error instanceof ContentError)) return { error: String(error) }
    const faults = error.errors.map(({ part, line, column, fault }) => ({ part, line, column, fault }))
    return { result: { faults } }
  }
}
