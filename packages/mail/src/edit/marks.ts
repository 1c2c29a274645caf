/**
 * Marks of nodes in a copy of the source, found again in the HTML made of it: a class for components of MJML
 * (`emma-12`, for Outlook `emma-12-outlook`), comments around the content of mj-raw, an attribute for elements of HTML.
 * The number is the node's index.
 */
export interface Marks {
  /** Occurs nowhere in the template. */
  prefix: string
  /** True if MJML inlines styles: then it writes the HTML anew, with empty attributes as names alone. */
  isRewritten: boolean
}

/** Returns a prefix of marks that does not occur in a source. */
export function freePrefix(source: string): string {
  const lower = source.toLowerCase()
  let prefix = 'emma-'
  while (lower.includes(prefix)) prefix = `${prefix.slice(0, -1)}x-`
  return prefix
}

/** Class of a component. `isEmpty`: the component has the attribute css-class without a value. */
export function classMark({ prefix }: Marks, index: number, isEmpty = false): string {
  return `${prefix}${index}${isEmpty ? EMPTY : ''}`
}

const EMPTY = 'e'

export function attributeMark({ prefix }: Marks, index: number): string {
  return ` data-${prefix}node="${index}"`
}

export function commentMarks({ prefix }: Marks, index: number): { open: string; close: string } {
  return { open: `<!--${prefix}${index}-->`, close: `<!--/${prefix}${index}-->` }
}

/**
 * Removes all marks from the HTML of a marked copy. What is left is the HTML of the source, byte for byte, but for the
 * random ids that MJML gives menus and carousels.
 */
export function stripMarks(html: string, { prefix, isRewritten }: Marks): string {
  return (
    html
      .replaceAll(new RegExp(` data-${prefix}node="\\d+"`, 'g'), '')
      .replaceAll(new RegExp(`<!--/?${prefix}\\d+-->`, 'g'), '')
      .replaceAll(new RegExp(` class="${prefix}\\d+${EMPTY}"`, 'g'), isRewritten ? ' class' : ' class=""')
      .replaceAll(new RegExp(` class="${prefix}\\d+"`, 'g'), '')
      .replaceAll(new RegExp(`"${prefix}\\d+${EMPTY}?-(?:outlook|thumbnail)"`, 'g'), '""')
      // Carousels write a space before a class, even if there is none.
      .replaceAll(
        new RegExp(
          `(mj-carousel-[\\w-]*(?:image|thumbnail)-\\d+ )${prefix}\\d+${EMPTY}?(?:-thumbnail)?"`,
          'g',
        ),
        '$1"',
      )
      .replaceAll(new RegExp(` ${prefix}\\d+${EMPTY}?(?:-outlook|-thumbnail)?"`, 'g'), '"')
  )
}
