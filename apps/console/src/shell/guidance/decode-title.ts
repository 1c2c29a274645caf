/** WordPress answers titles as HTML: as text, for places that take no HTML. */
export function decodeTitle(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent
}
