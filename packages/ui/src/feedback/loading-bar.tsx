import { type ReactNode, useSyncExternalStore } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './loading-bar.module.css'

export interface LoadingBarProps {
  /** Counter of pending calls, from the API client (R018). */
  counter: { count(): number; subscribe(listener: () => void): () => void }
}

/** Bar at the top of the page while any call is pending. */
export function LoadingBar({ counter }: LoadingBarProps): ReactNode {
  const t = useTranslate()
  const isPending = useSyncExternalStore(
    listener => counter.subscribe(listener),
    () => counter.count() > 0,
  )
  if (!isPending) return null
  return (
    <div className={classes.bar} role="progressbar" aria-label={t('loading')}>
      <div className={classes.runner} />
    </div>
  )
}
