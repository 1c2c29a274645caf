import { attributeValue, setAttribute } from '@emma/mail/edit/attributes.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { applyPatch, type Patch } from '@emma/mail/edit/patch.ts'
import type { ElementNode, TemplateFormat, TemplateTree } from '@emma/mail/edit/template-tree.ts'

/** An image of the file manager. */
export interface ImageFile {
  url: string | null
  alt: string | null
  /** Size in pixels; null if unknown. */
  width: number | null
  height: number | null
}

const imageElements = new Set(['mj-image', 'img'])

/** True for images: they take the alternative text and the width of a file too. */
export function isImage(node: { name: string }): boolean {
  return imageElements.has(node.name)
}

/**
 * Returns the patches that show a file in an attribute. An image takes over the file's alternative text, and a width:
 * never more than the file has, so that it is not blurred; a larger file is sharp on dense screens.
 */
export function showImage(
  tree: TemplateTree,
  node: ElementNode,
  attribute: string,
  file: ImageFile,
): Patch[] {
  const { url, alt, width, height } = file
  const source = setAttribute(tree, node, attribute, url ?? '')
  if (!isImage(node) || attribute !== 'src') return source
  const patches = alt === null ? source : [...source, ...setAttribute(tree, node, 'alt', alt)]
  if (width === null || height === null) return patches
  const written = attributeValue(tree, node, 'width')
  const shown = Number.parseInt(written ?? '', 10)
  const isPixels = /^\s*\d+(?:px)?\s*$/.test(written ?? '')
  const isMjml = tree.format === 'mjml'
  // A percentage, Liquid, and the width of the column are kept.
  const most = isPixels ? shown : MAX_WIDTH
  const isKept = (written !== null && !isPixels) || (width >= most && (isPixels || isMjml))
  const next = Math.min(width, most)
  if (!isKept) patches.push(...setAttribute(tree, node, 'width', isMjml ? `${next}px` : `${next}`))
  const hasHeight = /^\s*\d/.test(attributeValue(tree, node, 'height') ?? '')
  if (!hasHeight || (written !== null && !isPixels)) return patches
  const scaled = Math.max(1, Math.round((next * height) / width))
  return [...patches, ...setAttribute(tree, node, 'height', isMjml ? `${scaled}px` : `${scaled}`)]
}

/** Width of a mail's content in pixels. */
const MAX_WIDTH = 600

/** Returns the source of a new block with a file in its image. */
export function withImage(source: string, format: TemplateFormat, file: ImageFile): string {
  const tree = parseTemplate(source, { format })
  if (tree.type === 'code') return source
  const image = tree.nodes.find(node => node.type === 'element' && isImage(node))
  return image?.type === 'element' ? applyPatch(source, showImage(tree, image, 'src', file)) : source
}
