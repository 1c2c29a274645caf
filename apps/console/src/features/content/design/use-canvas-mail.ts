import type { CodeOnly, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { useState } from 'react'
import type { CanvasMail } from './canvas-marks.ts'

/** A canvas as it was rendered. */
export interface RenderedSource {
  /** The source that was rendered. */
  source: string
  canvas?: { html: string; prefix: string } | null | undefined
}

/** Trees of the last sources, one of which the server is rendering. */
const maxTrees = 50

/**
 * Joins a rendered canvas with the tree of the source that it was made of, which can be older than the current one.
 * Keeps the last canvas while the current source cannot be rendered.
 */
export function useCanvasMail(
  tree: TemplateTree | CodeOnly,
  rendered: RenderedSource | null,
): CanvasMail | null {
  const [trees, setTrees] = useState<readonly TemplateTree[]>([])
  const [shown, setShown] = useState<{ rendered: RenderedSource; mail: CanvasMail } | null>(null)
  if (tree.type === 'tree' && trees[0] !== tree) setTrees([tree, ...trees].slice(0, maxTrees))
  const canvas = rendered?.canvas
  if (rendered && canvas && shown?.rendered !== rendered) {
    const of = trees.find(one => one.source === rendered.source)
    if (of) setShown({ rendered, mail: { ...canvas, tree: of } })
  }
  return shown?.mail ?? null
}
