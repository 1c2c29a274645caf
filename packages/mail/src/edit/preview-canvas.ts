import { type MergeData, renderSegments } from '../segments.ts'
import type { ContentSource } from '../template/content-source.ts'
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
export async function previewCanvas(source: ContentSource, data: MergeData): Promise<PreviewCanvas | null> {
  const { html, marks } = await compileCanvas(source)
  return marks && { html: renderSegments(html, data), prefix: marks.prefix }
}
