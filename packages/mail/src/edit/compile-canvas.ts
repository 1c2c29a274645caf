import { compileContent, type CompiledContent } from '../template/compile-content.ts'
import type { ContentSource } from '../template/content-source.ts'
import { markTemplate } from './mark-template.ts'
import type { Marks } from './marks.ts'
import { parseTemplate } from './parse-template.ts'

/** A message compiled for the canvas: that of the send path, with marks at the nodes of its template. */
export interface CompiledCanvas {
  content: CompiledContent
  /** Null if the template is edited as code only, and has no marks. */
  marks: Marks | null
}

/**
 * Compiles the marked copy of a message with the compiler that sends. Runs on the server.
 * @throws ContentError as `compileContent`
 */
export async function compileCanvas(source: ContentSource): Promise<CompiledCanvas> {
  const isMjml = (source.mjml ?? '').trim() !== ''
  const tree = parseTemplate(isMjml ? (source.mjml ?? '') : source.html, { format: isMjml ? 'mjml' : 'html' })
  if (tree.type === 'code') return { content: await compileContent(source), marks: null }
  const { source: marked, marks } = markTemplate(tree)
  const content = await compileContent(isMjml ? { ...source, mjml: marked } : { ...source, html: marked })
  return { content, marks }
}
