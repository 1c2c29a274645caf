import { Loader, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './preview-waits.module.css'

/** Notice that the preview loads as soon as the server is less busy. */
export function PreviewWaits(): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={classes.note} role="status">
      <Loader size="xs" />
      <Text size="sm">{t('errors.preview_busy')}</Text>
    </div>
  )
}
