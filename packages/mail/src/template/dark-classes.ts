/**
 * Dark mode of a block, as classes of its source: `emma-dark-bg-1a1a1a`, `emma-dark-image:https://…`. MJML and HTML keep
 * classes as they are, so does every other editor, and the compiler makes rules of them (`withDarkRules`).
 */
export const darkKinds = ['bg', 'block', 'button', 'text', 'image'] as const

/**
 * What a class changes: the background of its element (`bg`), of a component of MJML with its inner tables (`block`),
 * of a button of MJML (`button`), the color of text, or the image.
 */
export type DarkKind = (typeof darkKinds)[number]

const prefix = 'emma-dark-'

/** Whether a source or a mail has dark settings at all. */
export function hasDarkClasses(source: string): boolean {
  return source.includes(prefix)
}

/** A class of a dark setting. */
export interface DarkClass {
  kind: DarkKind
  /** `#1a1a1a`, or the URL of an image. */
  value: string
}

/** Returns the class of a dark setting; null if the value is no color (`#rgb`, `#rrggbb`) or no image URL. */
export function darkClass({ kind, value }: DarkClass): string | null {
  if (kind === 'image') return isImageUrl(value) ? `${prefix}image:${value}` : null
  const color = hexColor(value)
  return color && `${prefix}${kind}-${color}`
}

/** Reads a class; null if it is no dark setting. */
export function readDarkClass(name: string): DarkClass | null {
  if (!name.startsWith(prefix)) return null
  const text = name.slice(prefix.length)
  if (text.startsWith('image:')) {
    const value = text.slice('image:'.length)
    return isImageUrl(value) ? { kind: 'image', value } : null
  }
  const [, kindName, color = ''] = /^([a-z]+)-([\da-f]{6})$/.exec(text) ?? []
  const kind = darkKinds.find(one => one === kindName)
  return kind && kind !== 'image' ? { kind, value: `#${color}` } : null
}

function hexColor(value: string): string | null {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(value.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return null
  return digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')
}

/** Without white space, quotes and brackets: it is part of a class, and of a rule of CSS. */
function isImageUrl(value: string): boolean {
  return /^https?:\/\/[^\s"'`<>(){}\\;]{1,2000}$/i.test(value)
}
