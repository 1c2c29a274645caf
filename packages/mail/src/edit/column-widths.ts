import { mailFault } from '../mail-fault.ts'
import { attributeValue, setAttribute } from './attributes.ts'
import { EditError } from './edit-error.ts'
import type { Patch } from './patch.ts'
import type { ElementNode, TemplateTree } from './template-tree.ts'

/** Numbers of columns that a section can be divided into, and the least width of one, in percent. */
export const columnLimits = { least: 2, most: 6, width: 5 } as const

/** Widths in percent with two decimals, as equal as possible, that add up to 100. */
export function evenWidths(count: number): number[] {
  return scaledWidths(Array.from({ length: count }, () => 1))
}

/** Widths in percent with two decimals, in the given proportions, that add up to 100; none is less than the least. */
export function scaledWidths(weights: readonly number[]): number[] {
  const { least, most, width } = columnLimits
  if (weights.length < least || weights.length > most || weights.some(one => !(one > 0 && one < Infinity)))
    throw new EditError(mailFault('content.edit_columns', { least, most }))
  const sum = weights.reduce((all, one) => all + one, 0)
  const shares = weights.map(one => Math.max(width * STEPS, Math.floor((one / sum) * WHOLE)))
  // Rounding leaves less than a step per column; least widths are taken from the widest column.
  for (let rest = WHOLE - total(shares), column = 0; rest > 0; rest--) shares[column++]!++
  for (let rest = total(shares) - WHOLE; rest > 0; rest = total(shares) - WHOLE) {
    const widest = shares.indexOf(Math.max(...shares))
    shares[widest]! -= Math.min(rest, shares[widest]! - width * STEPS)
  }
  return shares.map(inPercent)
}

/**
 * Moves the line between a column and the next one: both together keep their width, the others theirs.
 * @param width new width of the column in percent; limited to what both have
 */
export function resizeColumn(widths: readonly number[], index: number, width: number): number[] {
  const shares = widths.map(inSteps)
  const both = (shares[index] ?? 0) + (shares[index + 1] ?? 0)
  const least = columnLimits.width * STEPS
  if (shares[index + 1] === undefined || both < 2 * least) return [...widths]
  shares[index] = Math.min(both - least, Math.max(least, inSteps(width)))
  shares[index + 1] = both - shares[index]
  return shares.map(inPercent)
}

/**
 * Reads the widths of a section's columns in percent. Like MJML, a column without width takes an equal share of the
 * section; pixels count as the share of all columns in pixels.
 */
export function readColumnWidths(tree: TemplateTree, columns: readonly ElementNode[]): number[] {
  return scaledWidths(
    columns.map(column => {
      const width = Number.parseFloat(attributeValue(tree, column, 'width') ?? '')
      return width > 0 ? width : 100 / columns.length
    }),
  )
}

/** Returns the patches that give a section's columns their widths. */
export function setColumnWidths(
  tree: TemplateTree,
  columns: readonly ElementNode[],
  widths: readonly number[],
): Patch[] {
  return columns.flatMap((column, index) => setAttribute(tree, column, 'width', `${widths[index] ?? 0}%`))
}

/** Widths are calculated in hundredths of a percent: whole numbers add up exactly. */
const STEPS = 100
const WHOLE = 100 * STEPS

function total(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0)
}

function inSteps(width: number): number {
  return Math.round(width * STEPS)
}

function inPercent(share: number): number {
  return share / STEPS
}
