import { duplicate, insert, move, type Place, remove } from '@emma/mail/edit/blocks.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { type BlockName, type BlockTexts, newBlock } from './blocks.ts'
import { insertSection } from './sections/insert-section.ts'
import { copyBlock, pasteBlock } from './paste-block.ts'
import { type ImageFile, isImage, showImage, withImage } from './image-source.ts'
import type { Design } from './use-design.ts'

/** Edits of the selected block, for buttons and keys. */
export interface BlockActions {
  moveUp: () => void
  moveDown: () => void
  duplicate: () => void
  remove: () => void
  /** Source of the selected block, for the clipboard; null if there is none, or if it cannot be copied. */
  copy: () => string | null
  /** Copies and removes. */
  cut: () => string | null
  /** Inserts the text of a clipboard near the selected block. */
  paste: (text: string) => void
  add: (name: BlockName) => void
  /** Inserts a section after that of the selected block. */
  /** `styles`: see `insertSection`. */
  addSection: (source: string, styles?: readonly string[]) => void
  /** Shows a file in an image, or in a new one after another node. */
  addImage: (file: ImageFile, at: TemplateNode | null) => void
  /** Moves a node, selected or not. */
  moveTo: (node: TemplateNode, place: Place) => void
}

export function blockActions(design: Design, texts: BlockTexts): BlockActions {
  const { selected, edit } = design
  const onSelected = (make: (tree: TemplateTree, node: TemplateNode) => ReturnType<typeof remove>) =>
    edit(tree => {
      const node = tree.nodes.find(one => one.id === selected?.id)
      return node ? make(tree, node) : []
    })
  const copy = () => {
    let copied: string | null = null
    onSelected((tree, node) => {
      copied = copyBlock(tree, node)
      return []
    })
    return copied
  }
  return {
    moveUp: () => onSelected((tree, node) => moveBy(tree, node, -1)),
    moveDown: () => onSelected((tree, node) => moveBy(tree, node, 1)),
    duplicate: () => onSelected(duplicate),
    remove: () => onSelected(remove),
    copy,
    cut: () => {
      const copied = copy()
      if (copied !== null) onSelected(remove)
      return copied
    },
    paste: text =>
      edit(tree => pasteBlock(tree, tree.nodes.find(({ id }) => id === selected?.id) ?? null, text), {
        select: tree => addedNode(design, tree),
      }),
    moveTo: (node, place) =>
      edit(
        tree => {
          const moved = tree.nodes.find(({ id }) => id === node.id)
          const beside = tree.nodes.find(({ id }) => id === place.node.id)
          return moved && beside ? move(tree, moved, { ...place, node: beside } as Place) : []
        },
        { select: tree => tree.nodes.find(({ id }) => id === node.id) },
      ),
    addSection: (source, styles) =>
      edit(
        tree => insertSection(tree, tree.nodes.find(({ id }) => id === selected?.id) ?? null, source, styles),
        { select: tree => addedNode(design, tree) },
      ),
    addImage: (file, at) =>
      edit(
        tree => {
          const node = tree.nodes.find(one => one.id === at?.id) ?? null
          if (node?.type === 'element' && isImage(node)) return showImage(tree, node, 'src', file)
          const block = newBlock(tree, node, 'image', texts)
          return block ? insert(tree, block.place, withImage(block.source, tree.format, file)) : []
        },
        { select: tree => addedNode(design, tree) },
      ),
    add: name =>
      edit(
        tree => {
          const block = newBlock(tree, selected, name, texts)
          return block ? insert(tree, block.place, block.source) : []
        },
        { select: tree => addedNode(design, tree) },
      ),
  }
}

/** Moves a node beyond its previous or next sibling. A column's first block goes to the column before it. */
function moveBy(tree: TemplateTree, node: TemplateNode, step: -1 | 1) {
  const siblings = siblingsOf(tree, node)
  const next = siblings[siblings.indexOf(node) + step]
  if (next) return move(tree, node, { side: step === 1 ? 'after' : 'before', node: next })
  const { parent } = node
  if (!parent) return []
  const others = siblingsOf(tree, parent)
  const beside = others[others.indexOf(parent) + step]
  if (beside?.type !== 'element' || beside.name !== parent.name) return []
  return move(tree, node, { side: step === 1 ? 'first' : 'last', node: beside })
}

function siblingsOf(tree: TemplateTree, node: TemplateNode): readonly TemplateNode[] {
  return node.parent?.children ?? tree.roots
}

/** The first node that was not there before, and is shown. */
function addedNode({ tree: before }: Design, tree: TemplateTree): TemplateNode | undefined {
  const known = new Set(before.type === 'tree' ? before.nodes.map(({ id }) => id) : [])
  return tree.nodes.find(node => !known.has(node.id) && (node.type === 'text' || node.name !== 'style'))
}

/**
 * Runs the action of a key in canvas and outline: Alt and an arrow moves, Delete removes, Ctrl+D duplicates, Ctrl+Z
 * and Ctrl+Y undo and redo.
 */
export function runKey(event: KeyboardEvent, actions: BlockActions, { undo, redo }: Design): void {
  const isCommand = event.ctrlKey || event.metaKey
  const name = `${isCommand ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key}`
  const action = {
    'Alt+ArrowUp': actions.moveUp,
    'Alt+ArrowDown': actions.moveDown,
    Delete: actions.remove,
    Backspace: actions.remove,
    'Ctrl+d': actions.duplicate,
    'Ctrl+z': undo,
    'Ctrl+y': redo,
    'Ctrl+Shift+Z': redo,
  }[name]
  if (!action) return
  event.preventDefault()
  action()
}

export const clipboardEvents = ['copy', 'cut', 'paste'] as const

/** Copies, cuts or pastes the selected block. Where text is marked, the browser copies that. */
export function runClipboard(event: ClipboardEvent, actions: BlockActions): void {
  const { type, clipboardData, target } = event
  if (!clipboardData) return
  if (type === 'paste') {
    event.preventDefault()
    return actions.paste(clipboardData.getData('text/plain'))
  }
  const page = (target as Node | null)?.ownerDocument ?? document
  if (page.getSelection()?.isCollapsed === false) return
  const source = type === 'cut' ? actions.cut() : actions.copy()
  if (source === null) return
  event.preventDefault()
  clipboardData.setData('text/plain', source)
}
