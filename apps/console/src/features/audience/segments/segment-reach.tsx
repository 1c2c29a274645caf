import { Card } from '@emma/ui/layout/card.tsx'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './segment.module.css'
import { type SegmentQuestion, useSegmentCount } from './use-segment-count.ts'

/** Breakdown of a segment: members that get email, skip reasons of the others, and mailbox providers. */
export function SegmentReach({ question }: { question: SegmentQuestion }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, isError, isWithheld, isAskable, isCounting } = useSegmentCount(question, true)
  if (isWithheld || (isError && !isCounting)) return null
  const hindered = Object.entries(data?.preblocked ?? {}).toSorted(([, a], [, b]) => b - a)
  return (
    <Card title={t('audience.list.reach')}>
      {!isAskable && <p className={classes.quiet}>{t('audience.list.incomplete')}</p>}
      {isAskable && !data && <TextSkeleton lines={4} />}
      {isAskable && data && (
        <div className={classes.reach} aria-busy={isCounting}>
          <div>
            <h3 className={classes.subhead}>
              {t('audience.list.reachable', { count: data.estimated_volume })}
            </h3>
            {hindered.length === 0 ? (
              <p className={classes.quiet}>{t('audience.list.nobody_hindered')}</p>
            ) : (
              <Bars
                rows={hindered.map(([reason, count]) => ({
                  name: t(`audience.activity.reasons.${reason}`),
                  count,
                }))}
              />
            )}
          </div>
          <div>
            <h3 className={classes.subhead}>{t('audience.list.by_provider')}</h3>
            {data.by_provider.length === 0 ? (
              <p className={classes.quiet}>{format.number(0)}</p>
            ) : (
              <Bars
                rows={data.by_provider.map(({ provider_id, name, count }) => ({
                  name: provider_id === 0 ? t('audience.list.other_provider') : name,
                  count,
                }))}
              />
            )}
          </div>
        </div>
      )}
    </Card>
  )
}

function Bars({ rows }: { rows: readonly { name: string; count: number }[] }): ReactNode {
  const format = useFormat()
  const most = Math.max(1, ...rows.map(row => row.count))
  return (
    <ul className={classes.bars}>
      {rows.map(({ name, count }) => (
        <li key={name} className={classes.bar}>
          <span>{name}</span>
          <span className={classes.track} aria-hidden>
            <span className={classes.fill} style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <span className={classes.amount}>{format.number(count)}</span>
        </li>
      ))}
    </ul>
  )
}
