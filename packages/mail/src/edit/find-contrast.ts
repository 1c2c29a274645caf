import { attributeValue, setAttribute } from './attributes.ts'
import { type Color, contrastOf, hexOf, readableColor, readColor } from './colors.ts'
import { readComponentValues } from './component-value.ts'
import { darkSetting, setDarkSetting } from './dark-settings.ts'
import type { Patch } from './patch.ts'
import type { ElementNode, TemplateTree } from './template-tree.ts'

/** Text that is hard to read. */
export interface ContrastFinding {
  node: ElementNode
  isDark: boolean
  text: string
  background: string
  /** Rounded to one decimal. */
  contrast: number
  /** Makes the text as readable as it must be. */
  fix: () => Patch[]
}

/** Contrast of text, and of large text (WCAG 2.2, 1.4.3). */
const contrasts = { normal: 4.5, large: 3 } as const

/** The texts of a template, in document order, whose colors are known and too close: light, and where set, dark. */
export function findContrast(tree: TemplateTree): ContrastFinding[] {
  const valueOf = tree.format === 'mjml' ? readComponentValues(tree) : null
  const read = valueOf
    ? (node: ElementNode) => componentColors(tree, node, valueOf)
    : (node: ElementNode) => elementColors(tree, node)
  return tree.nodes.flatMap(node => {
    if (node.type !== 'element' || isInHead(node)) return []
    const colors = read(node)
    return colors ? findingsOf(tree, node, colors) : []
  })
}

interface TextColors {
  text: Color
  background: Color
  isLarge: boolean
  dark: { text: Color; background: Color } | null
}

function findingsOf(tree: TemplateTree, node: ElementNode, colors: TextColors): ContrastFinding[] {
  const { text, background, dark, isLarge } = colors
  const needed = isLarge ? contrasts.large : contrasts.normal
  const finding = (pair: { text: Color; background: Color }, isDark: boolean): ContrastFinding[] => {
    const contrast = contrastOf(pair.text, pair.background)
    if (contrast >= needed) return []
    const readable = () => readableColor(pair.text, pair.background, needed)
    return [
      {
        node,
        isDark,
        text: hexOf(pair.text),
        background: hexOf(pair.background),
        contrast: Math.floor(contrast * 10) / 10,
        fix: () =>
          isDark ? setDarkSetting(tree, node, 'text', readable()) : setTextColor(tree, node, readable()),
      },
    ]
  }
  return [...finding({ text, background }, false), ...(dark ? finding(dark, true) : [])]
}

function setTextColor(tree: TemplateTree, node: ElementNode, color: string): Patch[] {
  if (tree.format === 'mjml') return setAttribute(tree, node, 'color', color)
  const style = attributeValue(tree, node, 'style') ?? ''
  return setAttribute(tree, node, 'style', style.replace(colorDeclaration, `$1${color}`))
}

function componentColors(
  tree: TemplateTree,
  node: ElementNode,
  valueOf: (node: ElementNode, name: string) => string | null,
): TextColors | null {
  const isButton = node.name === 'mj-button'
  if (!isButton && node.name !== 'mj-text') return null
  const text = readColor(valueOf(node, 'color') ?? (isButton ? '#ffffff' : '#000000'))
  const own = valueOf(node, isButton ? 'background-color' : 'container-background-color')
  const background = isButton ? readColor(own ?? '#414141') : groundOf(node, own, valueOf)
  if (!text || !background || hasOwnColors(tree, node)) return null
  const size = Number.parseFloat(valueOf(node, 'font-size') ?? '13')
  const isBold = /^(?:bold|[6-9]00)$/.test(valueOf(node, 'font-weight') ?? '')
  return {
    text,
    background,
    isLarge: size >= 24 || (isBold && size >= 18.66),
    dark: darkColors(tree, node, text, background),
  }
}

/** Text with colors of its own inside is not one color. */
function hasOwnColors({ source }: TemplateTree, { content }: ElementNode): boolean {
  return (
    content !== null &&
    /\bcolor\b/i.test(source.slice(content.from, Math.min(content.to, content.from + 20_000)))
  )
}

/** The background of the nearest component that has one; null if that is an image. */
function groundOf(
  node: ElementNode,
  own: string | null,
  valueOf: (node: ElementNode, name: string) => string | null,
): Color | null {
  if (own !== null) return readColor(own)
  for (let around = node.parent; around; around = around.parent) {
    if (valueOf(around, 'background-url') !== null) return null
    const color = valueOf(around, 'inner-background-color') ?? valueOf(around, 'background-color')
    if (color !== null) return readColor(color)
  }
  return [255, 255, 255]
}

/** Colors of the style attributes of one element: others may come from style sheets. */
function elementColors(tree: TemplateTree, node: ElementNode): TextColors | null {
  const style = attributeValue(tree, node, 'style')
  const color = style === null ? undefined : colorDeclaration.exec(style)?.[2]
  if (style === null || color === undefined || !node.children.some(({ type }) => type === 'text')) return null
  const text = readColor(color)
  const background = elementGround(tree, node)
  if (!text || !background) return null
  const [, size = '', unit] = /(?:^|[\s;])font-size\s*:\s*([\d.]{1,10})(px)/i.exec(style) ?? []
  const isHeading = node.name === 'h1' || node.name === 'h2'
  return {
    text,
    background,
    isLarge: isHeading || (unit === 'px' && Number(size) >= 24),
    dark: darkColors(tree, node, text, background),
  }
}

const colorDeclaration = /((?:^|[\s;])color\s*:\s*)([^;!]{1,100}?)(?=\s*(?:;|!|$))/i

function elementGround(tree: TemplateTree, node: ElementNode): Color | null {
  for (let around: ElementNode | null = node; around; around = around.parent) {
    const style = attributeValue(tree, around, 'style') ?? ''
    if (/background(?:-image)?\s*:[^;]{0,500}(?:url|gradient)/i.test(style)) return null
    const color =
      /background(?:-color)?\s*:\s*([^;!]{1,100}?)\s*(?:;|!|$)/i.exec(style)?.[1] ??
      attributeValue(tree, around, 'bgcolor')
    if (color) return readColor(color)
  }
  return null
}

/** Null without a dark setting: mail clients then choose colors by themselves. */
function darkColors(
  tree: TemplateTree,
  node: ElementNode,
  text: Color,
  background: Color,
): TextColors['dark'] {
  const ownText = darkSetting(tree, node, 'text')
  let ground: string | null = null
  for (let around: ElementNode | null = node; around && ground === null; around = around.parent) {
    ground = darkSetting(tree, around, 'background')
    if (around === node && node.name === 'mj-button') break
  }
  if (ownText === null && ground === null) return null
  return {
    text: (ownText === null ? null : readColor(ownText)) ?? text,
    background: (ground === null ? null : readColor(ground)) ?? background,
  }
}

function isInHead(node: ElementNode): boolean {
  for (let around = node.parent; around; around = around.parent)
    if (around.name === 'mj-head' || around.name === 'head') return true
  return false
}
