import type { Place } from '@emma/mail/edit/blocks.ts'
import type { TemplateNode } from '@emma/mail/edit/template-tree.ts'
import { type CanvasMail, elementsOf, nodeAt } from './canvas-marks.ts'
import { landingFor } from './landing.ts'

/** Drags the selected block within the canvas; a line shows where it would be dropped. Returns the end of listening. */
export function listenToDrag(
  page: Document,
  mailOf: () => CanvasMail,
  onMove: (node: TemplateNode, place: Place) => void,
): () => void {
  let dragged: TemplateNode | null = null
  let landing: Place | null = null
  const clear = () => {
    for (const element of page.querySelectorAll('[data-drop]')) element.removeAttribute('data-drop')
  }
  const start = (event: DragEvent) => {
    dragged = nodeAt(event.target as Element | null, mailOf())
    event.dataTransfer?.setData('text/plain', '')
  }
  const over = (event: DragEvent) => {
    clear()
    const mail = mailOf()
    const under = nodeAt(event.target as Element | null, mail)
    landing =
      dragged && under
        ? landingFor(mail.tree, dragged, under, node => isBelow(page, mail, node, event))
        : null
    if (!landing) return
    event.preventDefault()
    elementsOf(page, mail, landing.node.id)[0]?.setAttribute('data-drop', landing.side)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    if (dragged && landing) onMove(dragged, landing)
    end()
  }
  const end = () => {
    clear()
    dragged = null
    landing = null
  }
  page.addEventListener('dragstart', start)
  page.addEventListener('dragover', over)
  page.addEventListener('drop', drop)
  page.addEventListener('dragend', end)
  return () => {
    page.removeEventListener('dragstart', start)
    page.removeEventListener('dragover', over)
    page.removeEventListener('drop', drop)
    page.removeEventListener('dragend', end)
  }
}

/** True if the pointer is in the second half of a node: right of its middle for columns, otherwise below it. */
function isBelow(
  page: Document,
  mail: CanvasMail,
  node: TemplateNode,
  { clientX, clientY }: DragEvent,
): boolean {
  const box = elementsOf(page, mail, node.id)[0]?.getBoundingClientRect()
  if (!box) return false
  const isColumn = node.type === 'element' && node.name === 'mj-column'
  return isColumn ? clientX > box.x + box.width / 2 : clientY > box.y + box.height / 2
}
