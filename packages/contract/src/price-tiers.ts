import { z } from 'zod'
import { checkFault } from './schema-faults.ts'

/** Currencies of prices: all of them have two decimal places. */
export const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'CZK', 'DKK', 'NOK', 'SEK'] as const
export type Currency = (typeof currencies)[number]

export const priceTierLimits = { tiers: 10, emails: 10_000_000_000, price: 10_000, decimals: 4 } as const

const SCALE = 10 ** priceTierLimits.decimals

/** A price per thousand emails, for the emails of a month from the number `from` on. */
const priceTier = z.object({
  from: z.int().min(0).max(priceTierLimits.emails),
  price_per_thousand: z
    .number()
    .min(0)
    .max(priceTierLimits.price)
    .refine(price => Math.round(price * SCALE) / SCALE === price, checkFault('field.price')),
})

export type PriceTier = z.infer<typeof priceTier>

/** Graduated prices: the first tier begins at 0, each further one above the one before. Empty: no price. */
export const priceTiers = z
  .array(priceTier)
  .max(priceTierLimits.tiers)
  .refine(
    tiers =>
      tiers.every(({ from }, index) => (index === 0 ? from === 0 : from > (tiers[index - 1]?.from ?? 0))),
    checkFault('field.price_tiers'),
  )

/**
 * Price of so many emails in minor units (cents): each tier's share at its own price, rounded once, half up. Null
 * without tiers. Integers throughout, as a sum of floats would lose cents.
 */
export function graduatedPrice(emails: number, tiers: readonly PriceTier[]): number | null {
  if (tiers.length === 0) return null
  const sum = tiers.reduce((total, { from, price_per_thousand: price }, index) => {
    const share = Math.max(0, Math.min(emails, tiers[index + 1]?.from ?? Infinity) - from)
    return total + BigInt(share) * BigInt(Math.round(price * SCALE))
  }, 0n)
  // The sum is in parts of a thousandth of a tier's smallest step; a minor unit is a hundredth.
  const unit = BigInt((SCALE * 1000) / 100)
  return Number((sum + unit / 2n) / unit)
}
