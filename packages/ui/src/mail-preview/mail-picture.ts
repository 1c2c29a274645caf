/** Size in px of the shown top part of a message, at the usual layout width. */
const width = 680
const height = 850

/**
 * Thumbnail of a message for lists and selects (R020): an SVG around its HTML, as a `data:` URL. As an image it runs no
 * scripts and loads nothing, so images are missing. Null if it cannot be rendered.
 */
export function mailPicture(html: string | null): string | null {
  if (!html) return null
  const mail = new DOMParser().parseFromString(html, 'text/html')
  // Extends the background color of short messages to the lower edge.
  mail.head.insertAdjacentHTML(
    'beforeend',
    `<style>body{min-height:${height}px;box-sizing:border-box}</style>`,
  )
  const page = new XMLSerializer().serializeToString(mail.documentElement)
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${page}</foreignObject></svg>`
  // HTML allows names and characters that XML does not.
  const isSound =
    new DOMParser().parseFromString(picture, 'image/svg+xml').querySelector('parsererror') === null
  return isSound ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}` : null
}
