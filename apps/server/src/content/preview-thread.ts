import { parentPort } from 'node:worker_threads'
import { type PreviewCanvas, previewCanvas } from '@emma/mail/edit/preview-canvas.ts'
import { previewContent } from '@emma/mail/template/preview-content.ts'
import { createSectionCache } from '@emma/mail/template/section-cache.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import { ContentError, RenderError } from '@emma/mail/template/template-error.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import type { ThreadAnswer } from '../run-in-thread.ts'
import type { PreviewAnswer, PreviewInput } from './preview-pool.ts'

/** Sections of the templates that are being edited. */
const sections = createSectionCache()

/** Compiles and renders previews in a worker thread, because templates are untrusted. */
parentPort?.on('message', async (input: PreviewInput) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(await answerTo(input))
})

async function answerTo(input: PreviewInput): Promise<ThreadAnswer<PreviewAnswer>> {
  const { source, data, hasPreview, hasCanvas } = input
  try {
    const preview = hasPreview ? await previewContent(source, data, { sections }) : null
    return { result: { preview, canvas: hasCanvas ? await canvasOf(source, data) : null } }
  } catch (error) {
    if (!(error instanceof ContentError)) return { error: String(error) }
    const faults = error.errors.map(({ part, line, column, fault }) => ({ part, line, column, fault }))
    return { result: { faults } }
  }
}

/** What cannot be rendered for the recipient is a warning of the preview. */
async function canvasOf(source: ContentSource, data: MergeData): Promise<PreviewCanvas | null> {
  try {
    return await previewCanvas(source, data, sections)
  } catch (error) {
    if (error instanceof RenderError) return null
    throw error
  }
}
