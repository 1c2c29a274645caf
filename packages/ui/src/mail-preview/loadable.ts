/** True if the content security policies allow an address of a message to load. */
export type MayLoad = (address: string) => boolean

/**
 * What the preview frame may load: `data:` always; images and fonts over https and from the console's host if remote
 * content is allowed. A local installation serves files and designs over http from another port of it; the console's own
 * policy blocks all other http.
 *
 * @param base the console's URL, to resolve relative addresses
 */
export function loadableOf(allowsRemote: boolean, base: string): MayLoad {
  return address => {
    const url = URL.parse(address.trim(), base)
    if (url?.protocol === 'data:') return true
    const { protocol, hostname } = new URL(base)
    const isOwnHost = url?.protocol === protocol && url.hostname === hostname
    return allowsRemote && (url?.protocol === 'https:' || isOwnHost)
  }
}

/** Removes imports and replaces blocked addresses in CSS. */
export function loadableCss(css: string, mayLoad: MayLoad): string {
  const isLoadable = (text: string) =>
    [...text.matchAll(cssAddress)].every(match => mayLoad(addressOf(match)))
  return css
    .replaceAll(/@import\s+(?:url\([^)]*\)|"[^"]*"|'[^']*')[^;{}]*(?:;|$)/gi, '')
    .replaceAll(/@font-face\s*\{[^}]*\}/gi, face => (isLoadable(face) ? face : ''))
    .replaceAll(cssAddress, (text: string, ...groups: (string | undefined)[]) =>
      mayLoad(addressOf([text, ...groups.slice(0, 3)])) ? text : 'url("data:,")',
    )
}

const cssAddress = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)/gi

function addressOf([, double, single, bare]: ArrayLike<string | undefined> &
  Iterable<string | undefined>): string {
  return double ?? single ?? bare ?? ''
}

/** True if every image of a `srcset` may load. If not, `src` is used. */
export function isSrcsetLoadable(srcset: string, mayLoad: MayLoad): boolean {
  return srcset
    .split(/,\s+/)
    .map(candidate => candidate.trim().split(/\s+/)[0] ?? '')
    .every(mayLoad)
}

/** Removes blocked addresses from a message, so that the browser does not request them and report violations. */
export function dropUnloadable(element: Element, mayLoad: MayLoad): void {
  const { localName } = element
  if (localName === 'style') element.textContent = loadableCss(element.textContent, mayLoad)
  const style = element.getAttribute('style')
  if (style !== null && /url\(/i.test(style)) element.setAttribute('style', loadableCss(style, mayLoad))
  const isPlayed = played.has(localName)
  const isLink = localName === 'a' || localName === 'area'
  for (const name of loading) {
    const address = element.getAttribute(name)
    if (address === null || (isLink && name.endsWith('href'))) continue
    if ((isPlayed && name === 'src') || !isAttributeLoadable(name, address, mayLoad))
      element.removeAttribute(name)
  }
}

function isAttributeLoadable(name: string, address: string, mayLoad: MayLoad): boolean {
  if (name === 'srcset') return isSrcsetLoadable(address, mayLoad)
  // A fragment of the message itself.
  return (name.endsWith('href') && address.startsWith('#')) || mayLoad(address)
}

const loading = ['src', 'srcset', 'background', 'poster', 'href', 'xlink:href', 'data'] as const
/** Audio and video, which no policy allows. */
const played: ReadonlySet<string> = new Set(['video', 'audio', 'track'])
