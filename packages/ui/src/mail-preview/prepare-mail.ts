import { dropUnloadable, loadableOf, type MayLoad } from './loadable.ts'

export interface PrepareOptions {
  /** Remote pictures and fonts may load: tells the sender that somebody looked. */
  allowsRemote: boolean
  /** As a dark mail client shows it. */
  isDark: boolean
}

/**
 * A mail's HTML for a frame with an empty `sandbox` (no scripts, no forms, no pop-ups, an origin of its own): with a
 * content policy that lets nothing load, links that lead nowhere, and without what could lead the frame away or what
 * could not load anyway.
 * Hostile input: parsed by the browser into a document that never runs, never by text replacement.
 */
export function prepareMail(html: string, options: PrepareOptions): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  clean(mail, loadableOf(options.allowsRemote, location.href))
  const declaresDark = /prefers-color-scheme/i.test(html)
  const style = mail.createElement('style')
  style.textContent = baseStyle + (options.isDark && !declaresDark ? forcedDark : '')
  mail.head.prepend(policy(mail, options.allowsRemote), style)
  return `<!doctype html>${mail.documentElement.outerHTML}`
}

/**
 * Cleans a document or fragment. The contents of templates are fragments of their own that no selector of the document
 * finds, and one with `shadowrootmode` becomes a shadow root when the frame parses it.
 */
function clean(root: Document | DocumentFragment, mayLoad: MayLoad): void {
  for (const element of root.querySelectorAll(forbidden)) element.remove()
  for (const element of root.querySelectorAll('*')) {
    removeHandlers(element)
    dropUnloadable(element, mayLoad)
    if (isTemplate(element)) clean(element.content, mayLoad)
    // In MathML any element can be a link, and none knows where it opens.
    if (element.namespaceURI === MATHML) LINK_ATTRIBUTES.forEach(name => element.removeAttribute(name))
    else if (isLink(element)) keepClosed(element)
  }
}

/** By its name: the template of another document is no instance of this one's class. */
function isTemplate(element: Element): element is HTMLTemplateElement {
  return element.localName === 'template' && 'content' in element
}

/** Links of HTML and of SVG. */
function isLink(element: Element): boolean {
  const { localName } = element
  return (
    (localName === 'a' || localName === 'area') && LINK_ATTRIBUTES.some(name => element.hasAttribute(name))
  )
}

const MATHML = 'http://www.w3.org/1998/Math/MathML'
const LINK_ATTRIBUTES = ['href', 'xlink:href']

/** A pop-up is what the sandbox forbids: the link keeps its look and address and does nothing. */
function keepClosed(link: Element): void {
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noreferrer')
}

const forbidden = [
  'script',
  'base',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'portal',
  'meta[http-equiv]',
  // Styles from elsewhere: web fonts' mostly. The console's policy refuses them.
  'link',
  // Animations set the attributes of links: their address, and where they open.
  'set',
  'animate',
].join(', ')

/** The sandbox runs none of them anyway; without them the console stays free of complaints about it. */
function removeHandlers(element: Element): void {
  for (const name of element.getAttributeNames()) {
    const runs = name.startsWith('on') || /^\s*javascript:/i.test(element.getAttribute(name) ?? '')
    if (runs) element.removeAttribute(name)
  }
}

function policy(mail: Document, allowsRemote: boolean): HTMLMetaElement {
  const meta = mail.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = contentPolicy(allowsRemote, location.origin)
  return meta
}

/**
 * What the frame may load, besides what it inherits of the console's policy. Own pictures are named by origin: within the
 * sandbox `'self'` means nobody.
 */
export function contentPolicy(allowsRemote: boolean, origin: string): string {
  const remote = allowsRemote ? ` ${origin} https:` : ''
  return [
    "default-src 'none'",
    `img-src data:${remote}`,
    `font-src data:${remote}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** Does the mail want anything from elsewhere? */
export function hasRemoteContent(html: string): boolean {
  return (
    /(?:src|background|srcset|poster)\s*=\s*["']?\s*(?:https?:)?\/\//i.test(html) ||
    /url\(\s*["']?\s*(?:https?:)?\/\//i.test(html)
  )
}

const baseStyle = 'html{background:#fff}body{overflow-wrap:break-word}'

/** How clients darken a mail that says nothing of dark mode: colours inverted, pictures left alone. */
const forcedDark =
  'html{filter:invert(1) hue-rotate(180deg)}img,video,[background],[style*="background-image"]{filter:invert(1) hue-rotate(180deg)}'
