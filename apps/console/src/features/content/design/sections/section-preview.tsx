import type { BrandValues } from '@emma/contract/client-brand.ts'
import { attributeValue } from '@emma/mail/edit/attributes.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import type { ElementNode, TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import type { CSSProperties, ReactNode } from 'react'
import classes from './section-library.module.css'

interface SectionPreviewProps {
  /** MJML of a section. */
  source: string
  brand: BrandValues | null
}

/** Small picture of a section: its columns, and bars for its texts, buttons and images. */
export function SectionPreview({ source, brand }: SectionPreviewProps): ReactNode {
  const tree = parseTemplate(source, { format: 'mjml' })
  const [section] = tree.type === 'tree' ? tree.roots : []
  if (tree.type === 'code' || section?.type !== 'element') return null
  const color = (node: ElementNode, name: string, otherwise: string) =>
    shownColor(attributeValue(tree, node, name), brand) ?? otherwise
  return (
    <span
      aria-hidden
      className={classes.preview}
      style={{ background: color(section, 'background-color', '#ffffff') }}
    >
      {elementsIn(section).map(column => (
        <span
          key={column.id}
          className={classes.column}
          style={{ flexBasis: attributeValue(tree, column, 'width') ?? '100%' }}
        >
          {elementsIn(column).map(block => (
            <span key={block.id} className={classes.block} style={blockStyle(tree, block, color)} />
          ))}
        </span>
      ))}
    </span>
  )
}

function elementsIn(node: ElementNode): ElementNode[] {
  return node.children.filter((child: TemplateNode) => child.type === 'element')
}

type ColorOf = (node: ElementNode, name: string, otherwise: string) => string

function blockStyle(tree: TemplateTree, node: ElementNode, color: ColorOf): CSSProperties {
  const align = attributeValue(tree, node, 'align') ?? 'left'
  const justifySelf = align === 'center' ? 'center' : align === 'right' ? 'end' : 'start'
  switch (node.name) {
    case 'mj-image':
      return attributeValue(tree, node, 'width') === null
        ? { height: 28, background: '#d4d4d8' }
        : { justifySelf, width: 28, height: 16, background: '#d4d4d8' }
    case 'mj-button':
      return {
        justifySelf,
        width: 34,
        height: 10,
        borderRadius: 3,
        background: color(node, 'background-color', '#1f2937'),
      }
    case 'mj-divider':
      return { height: 1, background: color(node, 'border-color', '#d4d4d8') }
    case 'mj-social':
      return { justifySelf, width: 40, height: 8, background: '#a1a1aa', borderRadius: 4 }
    default: {
      const isHeading = attributeValue(tree, node, 'font-weight') === 'bold'
      const size = { width: isHeading ? '70%' : '90%', height: isHeading ? 7 : 4 }
      return { ...size, justifySelf, background: color(node, 'color', '#71717a') }
    }
  }
}

/** A color as written, or that of the brand. */
function shownColor(value: string | null, brand: BrandValues | null): string | null {
  const name = /^\{\{ brand\.(\w+) \}\}$/.exec(value ?? '')?.[1]
  if (name === undefined) return value
  const found = Object.entries(brand ?? {}).find(([key]) => key === name)?.[1]
  return typeof found === 'string' ? found : null
}
