import type { Currency } from '@emma/contract/price-tiers.ts'
import { useLocale } from '@emma/ui/i18n.tsx'
import { useMemo } from 'react'

interface VolumeFormat {
  /** 2026-11 → November 2026 */
  month: (invoiceMonth: string) => string
  /** Without the century, for axes: Nov 26 */
  shortMonth: (invoiceMonth: string) => string
  /** An amount with its currency; a dash for none. */
  money: (amount: number | null, currency: Currency, decimals?: number) => string
}

/** Formats months and amounts in the user's locale. */
export function useVolumeFormat(): VolumeFormat {
  const locale = useLocale()
  return useMemo(() => {
    const long = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
    const short = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' })
    const dateOf = (invoiceMonth: string) => new Date(`${invoiceMonth}-15T00:00:00Z`)
    return {
      month: invoiceMonth => long.format(dateOf(invoiceMonth)),
      shortMonth: invoiceMonth => short.format(dateOf(invoiceMonth)),
      money: (amount, currency, decimals = 2) =>
        amount === null
          ? '–'
          : new Intl.NumberFormat(locale, {
              style: 'currency',
              currency,
              minimumFractionDigits: 2,
              maximumFractionDigits: decimals,
            }).format(amount),
    }
  }, [locale])
}
