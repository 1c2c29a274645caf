import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './skeletons.module.css'

/** Placeholder of text while it loads. */
export function TextSkeleton({ lines = 3 }: { lines?: number }): ReactNode {
  const t = useTranslate()
  return (
    <div className={classes.lines} role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={12} width={line === lines - 1 ? '60%' : '100%'} />
      ))}
    </div>
  )
}

/** Placeholder of a record's form while it loads. */
export function FormSkeleton({ fields = 5 }: { fields?: number }): ReactNode {
  const t = useTranslate()
  return (
    <div className={classes.form} role="status" aria-label={t('loading')}>
      {Array.from({ length: fields }, (_, field) => (
        <div key={field} className={classes.field}>
          <Skeleton height={10} width={110} />
          <Skeleton height={34} />
        </div>
      ))}
    </div>
  )
}

/** Placeholder of known height: a chart, a preview, a lazy editor. */
export function BlockSkeleton({ height }: { height: number | string }): ReactNode {
  const t = useTranslate()
  return <Skeleton height={height} radius="md" role="status" aria-label={t('loading')} />
}
