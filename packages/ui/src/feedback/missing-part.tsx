import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../words.tsx'
import classes from './missing-part.module.css'

/** In place of a part of the screen whose code could not be fetched yet: the rest of the screen can be used. */
export function MissingPart({ isRetried, onRetry }: { isRetried: boolean; onRetry: () => void }): ReactNode {
  const say = useTranslate()
  return (
    <div className={classes.missing} role="status">
      <span className={classes.text}>{say('part.missing')}</span>
      <Button variant="default" size="compact-sm" loading={isRetried} onClick={onRetry}>
        {say('action.retry')}
      </Button>
    </div>
  )
}
