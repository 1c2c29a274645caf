import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUiSettings } from '../ui-settings.tsx'
import { useFormat, useTranslate } from '../i18n.tsx'
import classes from './rule-builder.module.css'

export interface SegmentCountProps {
  /** Number of matching members; null while unknown. */
  value: number | null
  /** Number of all members, for the share. */
  total?: number | null
  isLoading?: boolean
  error?: unknown
}

/** Live count of the members that match the rules. */
export function SegmentCount({ value, total, isLoading, error }: SegmentCountProps): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  const { errorText } = useUiSettings()
  const isFaulty = error !== undefined && error !== null && !isLoading
  return (
    <div className={classes.count} role="status" aria-busy={isLoading}>
      <span className={classes.countLabel}>{t('rules.count')}</span>
      {isFaulty ? (
        <span className={classes.countError}>
          {t('rules.count_failed')}: {errorText(error)}
        </span>
      ) : (
        <span className={classes.countLine}>
          <strong className={classes.countValue} data-old={isLoading || undefined}>
            {value === null ? '–' : format.number(value)}
          </strong>
          {typeof total === 'number' && value !== null && (
            <span className={classes.countTotal}>
              {t('rules.count_of', { total: format.number(total) })}
              {total > 0 && ` · ${format.percent(value / total)}`}
            </span>
          )}
          {isLoading && <Loader size={14} aria-hidden />}
        </span>
      )}
    </div>
  )
}
