import { attributeValue, setAttribute } from '../edit/attributes.ts'
import { duplicate, insert, move, remove, setContent } from '../edit/blocks.ts'
import { conditionOf, unwrapCondition, wrapInCondition } from '../edit/conditions.ts'
import { EditError } from '../edit/edit-error.ts'
import type { Patch } from '../edit/patch.ts'
import type { ElementNode, SourceRange, TemplateNode, TemplateTree } from '../edit/template-tree.ts'
import { blockRange } from '../edit/whole-node.ts'
import { contentComponents } from '../template/mjml-content.ts'

/** A random number from 0 up to, not including, `limit`. */
export type Random = (limit: number) => number

/** Repeatable random numbers (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}

/** An edit that a user could make. */
export interface RandomEdit {
  name: string
  /** The nodes it is about: its node, and the one beside the new place. */
  nodes: readonly TemplateNode[]
  patches: readonly Patch[]
  /** Ranges of the source that it may change. */
  areas: readonly SourceRange[]
}

/**
 * Makes an edit of a random visible node that changes something. Edits that are refused because of the node's place are
 * not counted.
 * @returns null if the template has no node for it
 */
export function randomEdit(tree: TemplateTree, random: Random): RandomEdit | null {
  const nodes = tree.nodes.filter(isVisible)
  for (let attempt = 0; attempt < 100 && nodes.length > 0; attempt++) {
    const node = nodes[random(nodes.length)]!
    const edit = attemptEdit(tree, node, random)
    if (edit && edit.patches.length > 0) return edit
  }
  return null
}

function attemptEdit(tree: TemplateTree, node: TemplateNode, random: Random): RandomEdit | null {
  const kinds = Object.keys(edits)
  const name = kinds[random(kinds.length)]!
  try {
    const edit = edits[name]?.(tree, node, random)
    return edit ? { name, nodes: [node], ...edit } : null
  } catch (error) {
    if (error instanceof EditError) return null
    throw error
  }
}

type Made = (Pick<RandomEdit, 'patches' | 'areas'> & Partial<RandomEdit>) | null

const edits: Record<string, (tree: TemplateTree, node: TemplateNode, random: Random) => Made> = {
  setAttribute(tree, node, random) {
    if (node.type === 'text') return null
    const name = node.attributes[random(node.attributes.length + 1)]?.name ?? attributeNames[random(2)]!
    if (name === '') return null
    const before = attributeValue(tree, node, name)
    const value = before !== null && random(3) === 0 ? null : values[random(values.length)]!
    return { patches: setAttribute(tree, node, name, value), areas: [node.range] }
  },
  setContent(tree, node, random) {
    const isLeaf =
      node.type === 'text'
        ? tree.format === 'html'
        : tree.format === 'mjml'
          ? contentComponents.has(node.name)
          : node.children.every(isText)
    if (!isLeaf) return null
    return { patches: setContent(tree, node, texts[random(texts.length)]!), areas: [node.range] }
  },
  insert(tree, node, random) {
    const text = newBlock(tree, node.parent)
    if (text === null) return null
    const side = random(2) === 0 ? 'before' : 'after'
    return { patches: insert(tree, { side, node }, text), areas: [node.range] }
  },
  move(tree, node, random) {
    const parent = node.parent?.name
    const targets = tree.nodes.filter(
      one => one !== node && one.parent?.name === parent && one.type === node.type && isVisible(one),
    )
    const target = targets[random(targets.length)]
    if (!target) return null
    const side = random(2) === 0 ? 'before' : 'after'
    const patches = move(tree, node, { side, node: target })
    return { patches, areas: [blockRange(tree, node), target.range], nodes: [node, target] }
  },
  duplicate: (tree, node) => ({ patches: duplicate(tree, node), areas: [node.range] }),
  remove: (tree, node) => ({ patches: remove(tree, node), areas: [blockRange(tree, node)] }),
  condition(tree, node) {
    const around = conditionOf(tree, node)
    if (!around)
      return { patches: wrapInCondition(tree, node, 'member.country == "DE"'), areas: [node.range] }
    const areas = [{ from: around.open.from, to: around.close.to }]
    return { patches: unwrapCondition(tree, node), areas }
  },
}

const attributeNames = ['title', 'align'] as const

const values = [
  'center',
  '10px 25px',
  'https://shop.example/?a=1&b=2&copy=3',
  'A "quoted" <text> & \'more\'',
  'Hello {{ member.firstname | default: "there" }}',
  '#336699',
]

const texts = [
  'A new text',
  'Hello {{ member.firstname | default: "there" }},&nbsp;welcome &amp; enjoy',
  '{% if member.country == "DE" %}Hallo{% else %}Hello{% endif %} Ünïcode 😀',
  '<a href="https://shop.example/?a=1&amp;b=2">Shop</a>',
]

function isText(node: TemplateNode): boolean {
  return node.type === 'text'
}

function isVisible(node: TemplateNode): boolean {
  if (node.type === 'element' && fixedElements.has(node.name)) return false
  for (let around = node.parent; around; around = around.parent) {
    if (around.name === 'mj-head' || around.name === 'head') return false
  }
  return true
}

const fixedElements = new Set(['mjml', 'mj-head', 'mj-body', 'html', 'head', 'body', 'meta', 'link'])

/** A block that may stand in an element; null if none of these may. */
function newBlock({ format }: TemplateTree, parent: ElementNode | null): string | null {
  return blocks[format][parent?.name ?? ''] ?? null
}

const cell = '<td>New</td>'
const row = `<tr>${cell}</tr>`
const text = '<mj-text>New</mj-text>'
const column = `<mj-column>\n  ${text}\n</mj-column>`
const section = `<mj-section>\n${column}\n</mj-section>`

const blocks: Record<TemplateTree['format'], Record<string, string>> = {
  mjml: {
    'mj-body': section,
    'mj-wrapper': section,
    'mj-section': column,
    'mj-group': column,
    'mj-column': text,
    'mj-hero': text,
  },
  html: {
    body: '<p>New</p>',
    div: '<p>New</p>',
    td: '<p>New</p>',
    center: '<p>New</p>',
    tr: cell,
    table: row,
    tbody: row,
    p: '<b>New</b>',
    span: '<b>New</b>',
    ul: '<li>New</li>',
  },
}
