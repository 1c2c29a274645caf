import { Button } from '@mantine/core'
import { IconWifiOff } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { StatePage } from './state-page.tsx'

/** Shown in place of a screen whose code could not be loaded; reloads when the connection returns. */
export function OfflineScreen(): ReactNode {
  const { t } = useTranslation()
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <StatePage
      icon={<IconWifiOff size={28} />}
      title={t('state.offline_title')}
      action={
        <Button mt="sm" onClick={() => location.reload()}>
          {t('state.offline_action')}
        </Button>
      }
    >
      {t('state.offline_text')}
    </StatePage>
  )
}
