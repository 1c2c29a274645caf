import { darkClass, type DarkKind, readDarkClass } from '../template/dark-classes.ts'
import { attributeValue, setAttribute } from './attributes.ts'
import { readDefaultClasses } from './default-classes.ts'
import type { Patch } from './patch.ts'
import type { ElementNode, TemplateTree } from './template-tree.ts'

/** What a block can have of its own in dark mode. */
export type DarkSetting = 'background' | 'text' | 'image'

/** The settings that have an effect on a component of MJML or an element of HTML. */
export function darkSettingsOf({ format }: TemplateTree, { name }: ElementNode): readonly DarkSetting[] {
  return (format === 'mjml' ? ofMjml : ofHtml)[name] ?? []
}

const box = ['background'] as const
const words = ['background', 'text'] as const
const image = ['image'] as const

const ofMjml: Readonly<Record<string, readonly DarkSetting[]>> = {
  'mj-body': box,
  'mj-wrapper': box,
  'mj-section': box,
  'mj-column': box,
  'mj-hero': box,
  'mj-text': words,
  'mj-table': words,
  'mj-button': words,
  'mj-image': image,
  'mj-navbar-link': ['text'],
}

const ofHtml: Readonly<Record<string, readonly DarkSetting[]>> = {
  body: box,
  table: box,
  td: words,
  th: words,
  div: words,
  a: words,
  img: image,
  ...Object.fromEntries(
    'p h1 h2 h3 h4 h5 h6 span li ul ol strong b em'.split(' ').map(name => [name, words]),
  ),
}

/** The color or image URL that a block has in dark mode; null if it has none. */
export function darkSetting(tree: TemplateTree, node: ElementNode, setting: DarkSetting): string | null {
  const kind = kindOf(tree, node, setting)
  const classes = (attributeValue(tree, node, classAttribute(tree)) ?? '').split(/\s+/)
  return classes.map(readDarkClass).find(one => one?.kind === kind)?.value ?? null
}

/**
 * Sets what a block looks like in dark mode: its other classes stay as they are.
 * @param value null removes the setting; a value that is neither a color nor an image URL changes nothing
 * @throws EditError as `setAttribute`
 */
export function setDarkSetting(
  tree: TemplateTree,
  node: ElementNode,
  setting: DarkSetting,
  value: string | null,
): Patch[] {
  const kind = kindOf(tree, node, setting)
  const name = value === null ? '' : darkClass({ kind, value })
  if (name === null) return []
  const attribute = classAttribute(tree)
  // A class of its own replaces the default of a component, which is therefore repeated.
  const inherited = tree.format === 'mjml' ? (readDefaultClasses(tree)(node) ?? '') : ''
  const before = attributeValue(tree, node, attribute) ?? inherited
  const after = [withoutKind(before, kind), name].filter(Boolean).join(' ')
  return setAttribute(tree, node, attribute, after === inherited ? null : after)
}

function classAttribute({ format }: TemplateTree): string {
  return format === 'mjml' ? 'css-class' : 'class'
}

function kindOf({ format }: TemplateTree, { name }: ElementNode, setting: DarkSetting): DarkKind {
  if (setting !== 'background') return setting
  if (format === 'html' || name === 'mj-text' || name === 'mj-table') return 'bg'
  return name === 'mj-button' ? 'button' : 'block'
}

/** Removes a class and the white space before it. */
function withoutKind(classes: string, kind: DarkKind): string {
  return classes.replaceAll(/\s*(?<!\S)emma-dark-\S+/g, found =>
    readDarkClass(found.trim())?.kind === kind ? '' : found,
  )
}
