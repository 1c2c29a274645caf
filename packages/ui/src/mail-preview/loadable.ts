/** Says of an address in a mail whether the content policies let it load. */
export type MayLoad = (address: string) => boolean

/**
 * What the frame of a mail may load: pictures and fonts over https and of this console, once that is allowed; what comes
 * within the mail always. Those of plain http the console's own policy refuses in any case.
 *
 * @param base the console's address: what relative addresses of the mail are resolved by
 */
export function loadableOf(allowsRemote: boolean, base: string): MayLoad {
  return address => {
    const url = URL.parse(address.trim(), base)
    if (url?.protocol === 'data:') return true
    return allowsRemote && (url?.protocol === 'https:' || url?.origin === new URL(base).origin)
  }
}

/** Styles without imported ones, and with nothing in the place of what may not load. */
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

/** May every picture of a `srcset` load? In doubt not: `src` is there for that. */
export function isSrcsetLoadable(srcset: string, mayLoad: MayLoad): boolean {
  return srcset
    .split(/,\s+/)
    .map(candidate => candidate.trim().split(/\s+/)[0] ?? '')
    .every(mayLoad)
}

/** Takes out of a mail what the policies would refuse, so that the browser does not ask for it and complain. */
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
  // A part of the mail itself.
  return (name.endsWith('href') && address.startsWith('#')) || mayLoad(address)
}

const loading = ['src', 'srcset', 'background', 'poster', 'href', 'xlink:href', 'data'] as const
/** Sound and film, which no policy lets load. */
const played: ReadonlySet<string> = new Set(['video', 'audio', 'track'])
