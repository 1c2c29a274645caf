import { setContent } from '@emma/mail/edit/blocks.ts'
import type { ElementNode, TemplateNode } from '@emma/mail/edit/template-tree.ts'
import { useEffect, useRef, useState } from 'react'
import { type CanvasMail, elementsOf } from './canvas-marks.ts'
import { textElementIn, textNodeOf } from './text-place.ts'
import { type EditableText, showEditable } from './text-source.ts'
import type { Design } from './use-design.ts'

/** A text that is being edited in the canvas. */
export interface TextEditing {
  isOpen: boolean
  /**
   * Begins with the text of a node, if it has one; `within` chooses among repetitions of a loop. What is typed is an
   * edit of the source at once, and one step of the undo history.
   */
  open: (node: TemplateNode, within?: Element) => void
  close: () => void
  /** Runs a command of the browser's editor on the selected text. */
  run: (
    command: 'bold' | 'italic' | 'underline' | 'createLink' | 'unlink' | 'insertHTML',
    value?: string,
  ) => void
}

interface OpenText {
  root: HTMLElement
  stop: () => void
}

export function useTextEditing(design: Design, mail: CanvasMail | null, page: Document | null): TextEditing {
  const [isOpen, setOpen] = useState(false)
  const current = useRef<OpenText | null>(null)
  /** Number of texts opened so far: each is a step of its own. */
  const texts = useRef(0)
  const close = () => {
    const open = current.current
    if (!open) return
    current.current = null
    open.stop()
    setOpen(false)
  }
  const write = ({ id }: TemplateNode, text: EditableText, key: string) =>
    design.edit(
      tree => {
        const node = tree.nodes.find(one => one.id === id)
        return node ? setContent(tree, node, text.source()) : []
      },
      { key },
    )
  const latest = useRef({ close, write })
  useEffect(() => {
    latest.current = { close, write }
  })
  const open = (node: TemplateNode, within?: Element) => {
    const { tree } = design
    if (tree.type === 'code' || !page || !mail) return
    const edited = textNodeOf(tree, node)
    if (!edited?.content) return
    const root = textRoot(elementsOf(page, mail, edited.id), edited, tree.format === 'mjml', within)
    if (!root) return
    const text = showEditable(root, tree.source.slice(edited.content.from, edited.content.to))
    if (!text) return
    design.select(edited)
    const key = `${edited.id} text ${++texts.current}`
    const stop = beginEditing(root, {
      onInput: () => latest.current.write(edited, text, key),
      onEnd: () => latest.current.close(),
    })
    current.current = { root, stop }
    setOpen(true)
  }
  return {
    isOpen,
    open,
    close,
    run: (command, value) => {
      current.current?.root.focus()
      // Browsers keep this for editing, and nothing else leaves the rest of the text as it is.
      page?.execCommand(command, false, value)
    },
  }
}

function textRoot(
  elements: readonly Element[],
  node: ElementNode,
  isMjml: boolean,
  within?: Element,
): HTMLElement | null {
  const element = elements.find(one => within && one.contains(within)) ?? elements[0]
  if (!element) return null
  // Elements of another window are no instances of this window's classes.
  return (isMjml ? textElementIn(element, node) : element) as HTMLElement
}

/** Makes an element editable; returns a function that ends it. */
function beginEditing(
  root: HTMLElement,
  { onInput, onEnd }: { onInput: () => void; onEnd: () => void },
): () => void {
  const page = root.ownerDocument
  root.setAttribute('contenteditable', 'true')
  root.setAttribute('role', 'textbox')
  root.focus()
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    page.execCommand('insertText', false, event.clipboardData?.getData('text/plain') ?? '')
  }
  const key = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') onEnd()
    if (event.key !== 'Enter') return
    const around = (page.getSelection()?.anchorNode?.parentElement ?? root).closest('p, li')
    if (around && root.contains(around) && around !== root) return
    event.preventDefault()
    page.execCommand('insertLineBreak')
  }
  const leave = (event: MouseEvent) => {
    if (!root.contains(event.target as Node | null)) onEnd()
  }
  root.addEventListener('input', onInput)
  root.addEventListener('paste', paste)
  root.addEventListener('keydown', key)
  page.addEventListener('mousedown', leave)
  return () => {
    root.removeAttribute('contenteditable')
    root.removeEventListener('input', onInput)
    root.removeEventListener('paste', paste)
    root.removeEventListener('keydown', key)
    page.removeEventListener('mousedown', leave)
  }
}
