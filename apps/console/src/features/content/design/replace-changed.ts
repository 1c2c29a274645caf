/** Makes an element equal to another one, by replacing the parts of it that differ. */
export function replaceChanged(shown: Element, next: Element): void {
  if (shown.isEqualNode(next)) return
  const [before, after] = [[...shown.childNodes], [...next.childNodes]]
  if (!isSameTag(shown, next) || before.length !== after.length) return shown.replaceWith(next)
  for (const [index, child] of before.entries()) {
    const other = after[index]
    if (!other || child.isEqualNode(other)) continue
    if (isElement(child) && isElement(other)) replaceChanged(child, other)
    else child.replaceWith(other)
  }
}

function isSameTag(one: Element, other: Element): boolean {
  const names = one.getAttributeNames()
  return (
    one.localName === other.localName &&
    one.namespaceURI === other.namespaceURI &&
    names.length === other.getAttributeNames().length &&
    names.every(name => one.getAttribute(name) === other.getAttribute(name))
  )
}

/** Elements of another document are not instances of this window's class. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}
