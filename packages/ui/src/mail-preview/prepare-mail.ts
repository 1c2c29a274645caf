import { dropUnloadable, loadableOf, type MayLoad } from './loadable.ts'

export interface PrepareOptions {
  /** Loads remote images and fonts, which tells the sender that the message was opened. */
  allowsRemote: boolean
  scheme: MailScheme
}

/**
 * Color scheme of a mail client. `dark`: one that knows dark mode (Apple Mail), where a message without a dark mode of
 * its own is inverted; `inverted`: one that inverts every message and knows no dark mode (Gmail on iOS, Outlook).
 */
export type MailScheme = 'light' | 'dark' | 'inverted'

/**
 * Prepares a message's HTML for a frame with an empty `sandbox` (no scripts, forms or pop-ups, an opaque origin): adds
 * a content security policy that blocks loading, disables links, and removes elements that could navigate the frame or
 * could not load anyway.
 * The input is hostile: it is parsed by the browser into an inert document, never changed by text replacement.
 */
export function prepareMail(html: string, options: PrepareOptions): string {
  return `<!doctype html>${prepareDocument(html, options).documentElement.outerHTML}`
}

/** Prepares a message as `prepareMail`, as an inert document. */
export function prepareDocument(html: string, options: PrepareOptions): Document {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  clean(mail, loadableOf(options.allowsRemote, location.href))
  const declaresDark = /prefers-color-scheme/i.test(html)
  decideScheme(mail, options.scheme)
  const isInverted = options.scheme === 'inverted' || (options.scheme === 'dark' && !declaresDark)
  const style = mail.createElement('style')
  const isDark = options.scheme === 'dark' && hasDarkScheme(mail)
  style.textContent = (isDark ? darkStyle : baseStyle) + (isInverted ? forcedDark : '')
  mail.head.prepend(policy(mail, options.allowsRemote), style)
  return mail
}

/** The console's own color scheme does not decide what the message looks like. */
function decideScheme(mail: Document, scheme: MailScheme): void {
  const chosen = scheme === 'dark' ? 'dark' : 'light'
  const decide = (media: string) =>
    media.replaceAll(/\(\s*prefers-color-scheme\s*(?::\s*(\w+)\s*)?\)/gi, (_, name: string | undefined) =>
      name === undefined || name.toLowerCase() === chosen ? '(min-width: 0)' : '(max-width: 0)',
    )
  for (const style of mail.querySelectorAll('style')) {
    const { textContent } = style
    if (/prefers-color-scheme/i.test(textContent)) style.textContent = decide(textContent)
  }
  for (const element of mail.querySelectorAll('[media]'))
    element.setAttribute('media', decide(element.getAttribute('media') ?? ''))
}

/**
 * Cleans a document or fragment. Contents of templates are separate fragments, which selectors of the document do not
 * match; one with `shadowrootmode` becomes a shadow root when the frame parses it.
 */
function clean(root: Document | DocumentFragment, mayLoad: MayLoad): void {
  for (const element of root.querySelectorAll(forbidden)) element.remove()
  for (const element of root.querySelectorAll('*')) {
    removeHandlers(element)
    dropUnloadable(element, mayLoad)
    if (isTemplate(element)) clean(element.content, mayLoad)
    // In MathML any element can be a link, and none has a target.
    if (element.namespaceURI === MATHML) LINK_ATTRIBUTES.forEach(name => element.removeAttribute(name))
    else if (isLink(element)) keepClosed(element)
  }
}

/** Checked by name: a template of another document is not an instance of this window's class. */
function isTemplate(element: Element): element is HTMLTemplateElement {
  return element.localName === 'template' && 'content' in element
}

/** Links of HTML and SVG. */
function isLink(element: Element): boolean {
  const { localName } = element
  return (
    (localName === 'a' || localName === 'area') && LINK_ATTRIBUTES.some(name => element.hasAttribute(name))
  )
}

const MATHML = 'http://www.w3.org/1998/Math/MathML'
const LINK_ATTRIBUTES = ['href', 'xlink:href']

/** Pop-ups are blocked by the sandbox: the link keeps its look and address, but does nothing. */
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
  // External styles, mostly web fonts, which the console's policy blocks.
  'link',
  // Animations can set attributes of links: address and target.
  'set',
  'animate',
].join(', ')

/** The sandbox blocks event handlers anyway; removing them avoids errors in the console log. */
function removeHandlers(element: Element): void {
  for (const name of element.getAttributeNames()) {
    const runs = name.startsWith('on') || /^\s*javascript:/i.test(element.getAttribute(name) ?? '')
    if (runs) element.removeAttribute(name)
  }
}

function policy(mail: Document, allowsRemote: boolean): HTMLMetaElement {
  const meta = mail.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = contentPolicy(allowsRemote, location)
  return meta
}

/**
 * Content security policy of the frame, in addition to the inherited one. The console's host is named, since `'self'`
 * matches nothing inside the sandbox; its ports are those of `loadableOf`.
 */
export function contentPolicy(
  allowsRemote: boolean,
  { protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>,
): string {
  const remote = allowsRemote ? ` ${protocol}//${hostname}:* https:` : ''
  return [
    "default-src 'none'",
    `img-src data:${remote}`,
    `font-src data:${remote}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** True if the message has remote content. */
export function hasRemoteContent(html: string): boolean {
  return (
    /(?:src|background|srcset|poster)\s*=\s*["']?\s*(?:https?:)?\/\//i.test(html) ||
    /url\(\s*["']?\s*(?:https?:)?\/\//i.test(html)
  )
}

/** A mail that declares to know dark mode stands on the dark ground of the client, without colors of its own. */
function hasDarkScheme(mail: Document): boolean {
  const declared = mail.querySelector('meta[name="color-scheme" i]')?.getAttribute('content') ?? ''
  return /\bdark\b/i.test(declared)
}

const darkStyle = 'html{background:#1c1c1e;color-scheme:dark}body{overflow-wrap:break-word}'
const baseStyle = 'html{background:#fff}body{overflow-wrap:break-word}'

/** Approximates mail clients that darken messages without dark mode: colors inverted, images unchanged. */
const forcedDark =
  'html{filter:invert(1) hue-rotate(180deg)}img,video,[background],[style*="background-image"]{filter:invert(1) hue-rotate(180deg)}'
