import type { Segments } from '../segments.ts'
import { compileContent } from '../template/compile-content.ts'
import type { CompileOptions } from '../template/compile-options.ts'
import type { ContentSource } from '../template/content-source.ts'
import { ContentError } from '../template/template-error.ts'
import type { SectionCache } from '../template/section-cache.ts'
import { markModules, markTemplate } from './mark-template.ts'
import type { Marks } from './marks.ts'
import { parseTemplate } from './parse-template.ts'

/** The HTML of a message as the send path compiles it, with marks at the nodes of its template. */
export interface CompiledCanvas {
  html: Segments
  /** Null if the template is edited as code only, or too long with marks. */
  marks: Marks | null
}

/**
 * Compiles the marked copy of a message with the compiler that sends. Runs on the server.
 * @param sections of MJML that were rendered before
 * @throws ContentError as `compileContent`, except for what it checks in the HTML that MJML makes
 */
export async function compileCanvas(
  message: ContentSource,
  sections?: SectionCache,
): Promise<CompiledCanvas> {
  // A message without text gets one made of its HTML, which takes a fifth of the time.
  const source = { ...message, text: '-' }
  const isMjml = (source.mjml ?? '').trim() !== ''
  const tree = parseTemplate(isMjml ? (source.mjml ?? '') : source.html, { format: isMjml ? 'mjml' : 'html' })
  const options = { ...(sections && { sections }), isUnchecked: true }
  if (tree.type === 'code') return await compileUnmarked(source, options)
  const { source: marked, marks } = markTemplate(tree)
  try {
    const { html } = await compileContent(
      { ...source, [isMjml ? 'mjml' : 'html']: marked, modules: markModules(tree, marks, source.modules) },
      options,
    )
    return { html, marks }
  } catch (error) {
    // Errors tell their place in the source itself.
    if (error instanceof ContentError) return await compileUnmarked(source, options)
    throw error
  }
}

async function compileUnmarked(source: ContentSource, options: CompileOptions): Promise<CompiledCanvas> {
  return { html: (await compileContent(source, options)).html, marks: null }
}
