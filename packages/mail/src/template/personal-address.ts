import { scanLiquid } from './scan-liquid.ts'
import { toText } from './value-text.ts'

/** Scheme and host, before the first value of a recipient: no data decides which server is called. */
const fixedHost = /^https?:\/\/[^/?#{}\s@]+[/?#]/i

/**
 * Columns in an address such as `https://shop.example/offers?customer={{ member.customer_id }}`.
 * @returns null if it has other Liquid, or a host that is not constant
 */
export function addressColumns(template: string): string[] | null {
  const columns: string[] = []
  for (const piece of scanLiquid(template)) {
    if (piece.type === 'text') continue
    const name = piece.type === 'output' ? /^\s*member\.(\w{1,63})\s*$/.exec(piece.content)?.[1] : undefined
    if (name === undefined || !fixedHost.test(template.slice(0, piece.start))) return null
    columns.push(name)
  }
  return columns
}

/**
 * The address for one recipient; values are percent-encoded.
 * @returns null if a value is missing, or would change the path
 */
export function personalAddress(template: string, member: Record<string, unknown>): string | null {
  let address = ''
  for (const piece of scanLiquid(template)) {
    if (piece.type === 'text') {
      address += template.slice(piece.start, piece.end)
      continue
    }
    const column = piece.content.trim().replace(/^member\./, '')
    const value = Object.hasOwn(member, column) ? toText(member[column]).trim() : ''
    if (value === '') return null
    address += encodeURIComponent(value.toWellFormed())
  }
  const path = address.split(/[?#]/, 1)[0] ?? ''
  return /\/\.{1,2}(?:\/|$)/.test(path) || address.length > 4_000 ? null : address
}
