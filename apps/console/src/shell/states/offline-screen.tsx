import { Button } from '@mantine/core'
import { IconWifiOff } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { StatePage } from './state-page.tsx'

/** In place of a screen that could not be fetched; comes back by itself with the connection. */
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
