import type { Place } from '@emma/mail/edit/blocks.ts'
import type { TemplateNode } from '@emma/mail/edit/template-tree.ts'
import { type MailScheme, prepareDocument, prepareMail } from '@emma/ui/mail-preview/prepare-mail.ts'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type CanvasMail, elementsOf, nodeAt } from './canvas-marks.ts'
import { clipboardEvents } from './block-actions.ts'
import { replaceChanged } from './replace-changed.ts'
import { listenToDrag } from './canvas-drag.ts'
import classes from './design.module.css'

interface CanvasProps {
  mail: CanvasMail
  selected: TemplateNode | null
  width: number | string
  scheme: MailScheme
  /** The canvas does not change while a text in it is edited. */
  isFrozen: boolean
  /** Document of the canvas; null until it is there. */
  page: Document | null
  onPage: (page: Document | null) => void
  onSelect: (node: TemplateNode | null) => void
  /** Called by a double click: the node and its element. */
  onOpen: (node: TemplateNode, element: Element) => void
  onKey: (event: KeyboardEvent) => void
  /** Called when a block is dropped. */
  onMove: (node: TemplateNode, place: Place) => void
  onClipboard: (event: ClipboardEvent) => void
  /** Called when a file is dropped; the node under the pointer. */
  onFile: (file: File, node: TemplateNode | null) => void
}

/**
 * A mail in a frame without scripts. The console reads its document to find the nodes of the template; a content
 * security policy and the sandbox keep the mail from running or loading anything but images and fonts.
 */
export function Canvas(props: CanvasProps): ReactNode {
  const { mail, selected, width, scheme, isFrozen, page, onPage } = props
  const { t } = useTranslation()
  const handlers = useRef(props)
  useEffect(() => {
    handlers.current = props
  })
  useEffect(() => {
    if (page && !isFrozen) showMail(page, mail.html, scheme)
  }, [page, mail, scheme, isFrozen])
  const selectedId = selected?.id ?? null
  useEffect(() => {
    if (page && !isFrozen) highlight(page, mail, selectedId)
  }, [page, mail, scheme, selectedId, isFrozen])
  useEffect(() => (page ? listen(page, handlers) : undefined), [page])
  return (
    <div className={classes.stage}>
      <iframe
        className={classes.canvas}
        style={{ width, colorScheme: scheme === 'dark' ? 'dark' : 'light' }}
        title={t('content.design.canvas')}
        sandbox="allow-same-origin"
        referrerPolicy="no-referrer"
        srcDoc={emptyPage}
        onLoad={event => onPage(event.currentTarget.contentDocument)}
      />
    </div>
  )
}

const emptyPage = prepareMail('', { allowsRemote: true, scheme: 'light' })

/** Shows a mail: only what differs is replaced, so that images stay and a long mail is not laid out again. */
function showMail(page: Document, html: string, scheme: MailScheme): void {
  const next = prepareDocument(html, { allowsRemote: true, scheme })
  const style = next.createElement('style')
  style.textContent = canvasStyle
  next.head.append(style)
  replaceChanged(page.documentElement, next.documentElement)
}

const canvasStyle = `
  * { cursor: default }
  [data-canvas=selected] { outline: 2px solid #1c7ed6 !important; outline-offset: -2px }
  [data-canvas=hovered] { outline: 1px solid #74c0fc !important; outline-offset: -1px }
  [data-canvas][draggable] { cursor: grab }
  [data-drop=before] { box-shadow: 0 -3px 0 #1c7ed6 !important }
  [data-drop=after] { box-shadow: 0 3px 0 #1c7ed6 !important }
  [data-drop=last] { box-shadow: inset 0 0 0 3px #1c7ed6 !important }
  [contenteditable=true] { outline: 2px solid #1c7ed6 !important; outline-offset: 2px; cursor: text }
  [data-liquid] { padding: 0 5px; background: #d0ebff; color: #0b4f8a; border-radius: 4px; white-space: nowrap }
`

function highlight(page: Document, mail: CanvasMail, id: number | null): void {
  for (const element of page.querySelectorAll('[data-canvas=selected]')) {
    element.removeAttribute('data-canvas')
    element.removeAttribute('draggable')
  }
  if (id === null) return
  const elements = elementsOf(page, mail, id)
  for (const element of elements) {
    element.setAttribute('data-canvas', 'selected')
    element.setAttribute('draggable', 'true')
  }
  elements[0]?.scrollIntoView({ block: 'nearest' })
}

function listen(page: Document, handlers: RefObject<CanvasProps>): () => void {
  const nodeOf = (event: Event) => nodeAt(event.target as Element | null, handlers.current.mail)
  let hovered: Element | null = null
  const hover = (event: Event) => {
    hovered?.removeAttribute('data-canvas')
    hovered = null
    const { isFrozen, mail } = handlers.current
    const node = isFrozen ? null : nodeOf(event)
    const [element] = node ? elementsOf(page, mail, node.id) : []
    if (!element || element.hasAttribute('data-canvas')) return
    element.setAttribute('data-canvas', 'hovered')
    hovered = element
  }
  const click = (event: Event) => {
    event.preventDefault()
    if (!handlers.current.isFrozen) handlers.current.onSelect(nodeOf(event))
  }
  const open = (event: Event) => {
    const node = nodeOf(event)
    if (node && !handlers.current.isFrozen) handlers.current.onOpen(node, event.target as Element)
  }
  const key = (event: KeyboardEvent) => handlers.current.onKey(event)
  const clipboard = (event: ClipboardEvent) => handlers.current.onClipboard(event)
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  }
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? []
    if (file && !handlers.current.isFrozen) handlers.current.onFile(file, nodeOf(event))
  }
  const stopDrag = listenToDrag(
    page,
    () => handlers.current.mail,
    (node, place) => handlers.current.onMove(node, place),
  )
  page.addEventListener('mouseover', hover)
  page.addEventListener('click', click)
  page.addEventListener('dblclick', open)
  page.addEventListener('keydown', key)
  for (const type of clipboardEvents) page.addEventListener(type, clipboard)
  page.addEventListener('dragover', over)
  page.addEventListener('drop', drop)
  return () => {
    stopDrag()
    page.removeEventListener('mouseover', hover)
    page.removeEventListener('click', click)
    page.removeEventListener('dblclick', open)
    page.removeEventListener('keydown', key)
    for (const type of clipboardEvents) page.removeEventListener(type, clipboard)
    page.removeEventListener('dragover', over)
    page.removeEventListener('drop', drop)
  }
}
