import { type MergeData, renderSegments } from '../segments.ts'
import type { ContentSource } from '../template/content-source.ts'
import type { SectionCache } from '../template/section-cache.ts'
import { compileCanvas } from './compile-canvas.ts'

/** The canvas of a template for one recipient. */
export interface PreviewCanvas {
  /** HTML with the marks of the nodes. */
  html: string
  /** Prefix of the marks. */
  prefix: string
}

/**
 * Renders the marked copy of a message for one recipient.
 * @returns null if the template is edited as code only
 * @throws ContentError, RenderError as for the message itself
 */
export async function previewCanvas(
  source: ContentSource,
  data: MergeData,
  sections?: SectionCache,
): Promise<PreviewCanvas | null> {
  const { html, marks } = await compileCanvas(source, sections)
  return marks && { html: renderSegments(html, data), prefix: marks.prefix }
}
