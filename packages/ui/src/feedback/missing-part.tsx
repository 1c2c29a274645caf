import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './missing-part.module.css'

/** Placeholder of a component whose code failed to load; the rest of the screen stays usable. */
export function MissingPart({ isRetried, onRetry }: { isRetried: boolean; onRetry: () => void }): ReactNode {
  const t = useTranslate()
  return (
    <div className={classes.missing} role="status">
      <span className={classes.text}>{t('part.missing')}</span>
      <Button variant="default" size="compact-sm" loading={isRetried} onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </div>
  )
}
