import type { MergeData } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import type { CompileOptions } from './compile-options.ts'
import type { ContentSource } from './content-source.ts'
import { type Preview, renderPreview } from './preview.ts'

/**
 * Compiles a message and renders it for one recipient.
 * @throws ContentError with all faults if the content cannot be compiled
 */
export async function previewContent(
  source: ContentSource,
  data: MergeData,
  options?: CompileOptions,
): Promise<Preview> {
  return renderPreview(await compileContent(source, options), data)
}
