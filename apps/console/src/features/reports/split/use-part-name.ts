import { variantLetter, variantLetters } from '@emma/contract/split.ts'
import { useTranslation } from 'react-i18next'
import type { SplitReport } from '../../../shell/resource/split-state.tsx'
import type { Who } from '../report-query.ts'

export type SplitPart = SplitReport['parts'][number]

/** Returns the name of a part of an A/B test: the letter of a variant, the rest, the holdout. */
export function usePartName(): (report: SplitReport, part: SplitPart) => string {
  const { t } = useTranslation()
  return ({ variants, winner }, { part, variant }) => {
    if (part === 'variant') return variantLetter(variant ?? 0)
    if (part === 'holdout') return t('reports.split.holdout')
    if (variants.length === 1) return t('reports.split.everybody_else')
    if (winner === null) return t('reports.split.undecided')
    return t('reports.split.rest', { variant: variantLetter(winner) })
  }
}

/** Filter for the recipients of a part. */
export function recipientsOf({ part, variant }: SplitPart): Who {
  if (part === 'holdout') return { reason: 'holdout' }
  return { variant: part === 'rest' ? part : variantLetters[variant ?? 0] }
}
