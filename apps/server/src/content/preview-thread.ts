import { parentPort } from 'node:worker_threads'
import { type PreviewCanvas, previewCanvas } from '@emma/mail/edit/preview-canvas.ts'
import { compilationOf } from '@emma/mail/template/compilation.ts'
import { assembleLanguages, LanguageError } from '@emma/mail/template/compile-languages.ts'
import { htmlSections } from '@emma/mail/template/html-sections.ts'
import { previewContent } from '@emma/mail/template/preview-content.ts'
import { createSectionCache } from '@emma/mail/template/section-cache.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import { ContentError, RenderError } from '@emma/mail/template/template-error.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import type { ThreadAnswer } from '../run-in-thread.ts'
import type { CompileInput, PreviewAnswer, PreviewInput, SectionsInput, ThreadInput } from './preview-pool.ts'

/** Sections of the templates that are being edited. */
const sections = createSectionCache()

/** Compiles templates and renders previews in a worker thread, because templates are untrusted. */
parentPort?.on('message', async (input: ThreadInput) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(await answerTo(input))
})

async function answerTo(input: ThreadInput): Promise<ThreadAnswer<PreviewAnswer>> {
  try {
    return { result: await resultOf(input) }
  } catch (error) {
    if (!(error instanceof ContentError)) return { error: String(error) }
    const faults = error.errors.map(({ part, line, column, fault }) => ({ part, line, column, fault }))
    return { result: { faults, language: error instanceof LanguageError ? error.language : null } }
  }
}

function resultOf(input: ThreadInput): Promise<PreviewAnswer> {
  if ('languages' in input) return compile(input)
  return 'sections' in input ? convert(input) : preview(input)
}

async function compile({ source, languages, hasParts }: CompileInput): Promise<PreviewAnswer> {
  const assembled = await assembleLanguages(source, languages, { sections })
  return { compilation: compilationOf(assembled), assembled: hasParts ? assembled : null }
}

async function convert({ sections: mjml }: SectionsInput): Promise<PreviewAnswer> {
  return { sections: await htmlSections(mjml, sections) }
}

async function preview({ source, data, hasPreview, hasCanvas }: PreviewInput): Promise<PreviewAnswer> {
  const preview = hasPreview ? await previewContent(source, data, { sections }) : null
  return { preview, canvas: hasCanvas ? await canvasOf(source, data) : null }
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
