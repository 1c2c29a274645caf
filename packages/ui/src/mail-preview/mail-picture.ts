/** The part of a mail that is shown, in px: its top, in the width mails are made for. */
const width = 680
const height = 850

/**
 * A picture of a mail's top for lists and selects (R020): an SVG around its HTML, as a `data:` address. As an image it
 * runs nothing and fetches nothing; pictures of the mail stay out. Null for what cannot be drawn that way.
 */
export function mailPicture(html: string | null): string | null {
  if (!html) return null
  const mail = new DOMParser().parseFromString(html, 'text/html')
  // The colour of a short mail goes down to the edge.
  mail.head.insertAdjacentHTML(
    'beforeend',
    `<style>body{min-height:${height}px;box-sizing:border-box}</style>`,
  )
  const page = new XMLSerializer().serializeToString(mail.documentElement)
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${page}</foreignObject></svg>`
  // HTML may have names and characters that XML has not.
  const isSound =
    new DOMParser().parseFromString(picture, 'image/svg+xml').querySelector('parsererror') === null
  return isSound ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}` : null
}
