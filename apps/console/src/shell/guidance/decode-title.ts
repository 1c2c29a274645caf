/** Converts the HTML of a WordPress title to plain text. */
export function decodeTitle(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent
}
