import { elementsOfRole, nameOf, tourRoles } from './find-element.ts'

/** Data attributes that say what an element is, not how it is at the moment. */
const ownData = ['data-tour', 'data-area', 'data-testid', 'data-field']

/** The longest name worth keeping: longer ones are content, which changes. */
const longestName = 60

/**
 * A selector that finds the element again after the screen has changed: by its id, by what it is (data attributes, the
 * address it leads to), by its label, by role and name, and only then by its place among others. The first that names
 * this element alone wins.
 */
export function selectorOf(element: Element): string {
  const page = element.ownerDocument
  const isUnique = (selector: string) => page.querySelectorAll(selector).length === 1
  const own = candidatesOf(element).find(isUnique)
  return own ?? byRole(element) ?? byPlace(element, isUnique)
}

function candidatesOf(element: Element): string[] {
  const tag = element.localName
  const attribute = (name: string) => {
    const value = element.getAttribute(name)
    return value === null || value === '' ? [] : [`[${name}="${quoted(value)}"]`]
  }
  return [
    ...(isStableId(element.id) ? [`#${CSS.escape(element.id)}`] : []),
    ...ownData.flatMap(attribute),
    ...(tag === 'a' ? attribute('href').map(href => `a${href}`) : []),
    ...(['input', 'select', 'textarea'].includes(tag) ? attribute('name').map(name => tag + name) : []),
    ...attribute('aria-label').map(label => tag + label),
  ]
}

/** Ids that a library numbers are others the next time. */
function isStableId(id: string): boolean {
  return id !== '' && !/^mantine-|^:|^_r_|«|\d{3,}|-target$/.test(id) && !/^[\w-]*:r/.test(id)
}

function byRole(element: Element): string | null {
  const name = nameOf(element)
  if (name === '' || name.length > longestName) return null
  const role = tourRoles.find(candidate => {
    const named = elementsOfRole(candidate, element.ownerDocument).filter(other => nameOf(other) === name)
    return named.length === 1 && named[0] === element
  })
  return role === undefined ? null : `role=${role}[name="${name}"]`
}

/** From the nearest ancestor that can be named, child by child. */
function byPlace(element: Element, isUnique: (selector: string) => boolean): string {
  const path: string[] = []
  for (let at: Element | null = element; at; at = at.parentElement) {
    const anchor =
      candidatesOf(at).find(isUnique) ?? (isLandmark(at) && isUnique(at.localName) ? at.localName : null)
    if (anchor !== null) return [anchor, ...path].join(' > ')
    path.unshift(placeOf(at))
  }
  return path.join(' > ')
}

function isLandmark({ localName }: Element): boolean {
  return ['main', 'header', 'nav', 'body'].includes(localName)
}

function placeOf(element: Element): string {
  const siblings = [...(element.parentElement?.children ?? [])]
  return `${element.localName}:nth-child(${siblings.indexOf(element) + 1})`
}

function quoted(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}
