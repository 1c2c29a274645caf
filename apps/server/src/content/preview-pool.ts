import { EmmaError } from '@emma/contract/errors.ts'
import { compileHere, type CompileSource } from '@emma/core/content/compile-message.ts'
import type { PreviewContent, RenderCanvas } from '@emma/core/content/render-message.ts'
import type { AssembleMessage } from '@emma/delivery/model/campaign-snapshot.ts'
import type { PreviewCanvas } from '@emma/mail/edit/preview-canvas.ts'
import type { MailFault } from '@emma/mail/mail-fault.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import type { Compilation } from '@emma/mail/template/compilation.ts'
import {
  type AssembledLanguages,
  LanguageError,
  type LanguageSource,
} from '@emma/mail/template/compile-languages.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import type { HtmlSections } from '@emma/mail/template/html-sections.ts'
import type { Preview } from '@emma/mail/template/preview.ts'
import { ContentError, type Part, TemplateError } from '@emma/mail/template/template-error.ts'
import { type Limits, PREVIEW_LIMITS } from '../network/limits.ts'
import { PlaceQueue } from '../network/concurrency-queue.ts'
import { createThread, ThreadMemoryExceeded, ThreadTimeout } from '../run-in-thread.ts'
import { fault } from '@emma/contract/faults.ts'
import { createCompileCache } from './compile-cache.ts'

export interface PreviewInput {
  source: ContentSource
  data: MergeData
  hasPreview: boolean
  hasCanvas: boolean
}

export interface CompileInput {
  source: ContentSource
  languages: readonly LanguageSource[]
  /** Whether the parts of the message are needed, or only what was found in it. */
  hasParts: boolean
}

export interface SectionsInput {
  /** MJML. */
  sections: string
}

export type ThreadInput = PreviewInput | CompileInput | SectionsInput

/** Result of a thread: what it was asked for, or the faults of the content. */
export type PreviewAnswer =
  | { preview: Preview | null; canvas: PreviewCanvas | null }
  | { sections: HtmlSections }
  | { compilation: Compilation; assembled: AssembledLanguages | null }
  | {
      faults: readonly { part: Part; line: number; column: number; fault: MailFault }[]
      /** Of a further language of the message. */
      language: string | null
    }

/**
 * Worker threads that preview and compile templates.
 * All throw ContentError if the content cannot be compiled, EmmaError `busy` if it would wait too long for a thread, and
 * `too_large` if it takes more time or memory than a template may, excluding waiting; its thread is terminated.
 */
export interface PreviewPool {
  preview: PreviewContent
  canvas: RenderCanvas
  /** Content that was compiled before is not compiled again. */
  compile: CompileSource
  /** As `compile`, but waits for no thread: other content is compiled on the calling one. For use in transactions. */
  compileAtOnce: CompileSource
  assemble: AssembleMessage
  /** Converts sections of MJML to HTML. */
  sections(clientId: number, mjml: string): Promise<HtmlSections>
  close(): Promise<void>
}

const PREVIEW_THREAD = new URL('preview-thread.ts', import.meta.url)

/**
 * Starts threads on demand. A client has one running task at a time, so that its templates never occupy all threads.
 */
export function createPreviewPool(
  file = PREVIEW_THREAD,
  limits: Limits<typeof PREVIEW_LIMITS> = PREVIEW_LIMITS,
): PreviewPool {
  const { total, perClient, waitingPerClient, waitMs, timeoutMs } = limits
  const memoryMb = limits.threadMemoryBytes / 1_048_576
  const threads = Array.from({ length: total }, () =>
    createThread<ThreadInput, PreviewAnswer>(file, { processorMs: timeoutMs, memoryMb }),
  )
  const idle = [...threads]
  const queue = new PlaceQueue({ total, perKey: perClient, waitingPerKey: waitingPerClient, waitMs })

  async function run(input: ThreadInput): Promise<PreviewAnswer> {
    const thread = idle.pop()
    if (!thread) throw new Error('There are more tasks at once than threads.')
    try {
      return await thread.run(input)
    } catch (error) {
      if (!(error instanceof ThreadTimeout || error instanceof ThreadMemoryExceeded)) throw error
      throw new EmmaError('too_large', fault('refusal.template_costly'))
    } finally {
      idle.push(thread)
    }
  }

  const ask = async (clientId: number, input: ThreadInput) =>
    withoutFaults(await queue.run(String(clientId), () => run(input)))

  async function previewed(clientId: number, input: PreviewInput) {
    const answer = await ask(clientId, input)
    if (!('preview' in answer)) throw new Error('There is no preview in the answer.')
    return answer
  }

  async function compiled(clientId: number, input: CompileInput) {
    const answer = await ask(clientId, input)
    if (!('compilation' in answer)) throw new Error('There is no compilation in the answer.')
    return answer
  }

  const cached = createCompileCache()
  return {
    async preview(clientId, source, data, hasCanvas = false) {
      const { preview, canvas } = await previewed(clientId, { source, data, hasPreview: true, hasCanvas })
      if (!preview) throw new Error('There is no preview in the answer.')
      return { ...preview, ...(hasCanvas && { canvas }) }
    },
    async canvas(clientId, source, data) {
      return (await previewed(clientId, { source, data, hasPreview: false, hasCanvas: true })).canvas
    },
    compile: cached(
      async (clientId, source, languages) =>
        (await compiled(clientId, { source, languages, hasParts: false })).compilation,
    ),
    compileAtOnce: cached(compileHere),
    async assemble(clientId, source, languages) {
      const { assembled } = await compiled(clientId, { source, languages, hasParts: true })
      if (!assembled) throw new Error('There is no message in the answer.')
      return assembled
    },
    async sections(clientId, mjml) {
      const answer = await ask(clientId, { sections: mjml })
      if (!('sections' in answer)) throw new Error('There are no sections in the answer.')
      return answer.sections
    },
    async close() {
      await Promise.all(threads.map(thread => thread.close()))
    },
  }
}

function withoutFaults(answer: PreviewAnswer) {
  if (!('faults' in answer)) return answer
  const { faults, language } = answer
  const errors = faults.map(({ part, line, column, fault }) => new TemplateError(part, line, column, fault))
  throw language === null ? new ContentError(errors) : new LanguageError(language, errors)
}
