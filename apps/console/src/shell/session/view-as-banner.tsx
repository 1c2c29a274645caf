import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Badge, Button, Text } from '@mantine/core'
import { IconEye, IconFlask, IconShieldLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './view-as-banner.module.css'
import { showError } from '../i18n/error-text.ts'
import { viewAs } from './change-session.ts'
import { useSession } from './use-session.ts'

/** Banners for a missing second factor, for viewing as a role, and for demo data. */
export function ViewAsBanner(): ReactNode {
  const { t } = useTranslation()
  const { claims, isDemo } = useSession()
  return (
    <>
      {claims?.second_factor_missing && (
        <div className={classes.banner} role="status">
          <IconShieldLock size={16} stroke={1.6} aria-hidden />
          <Text size="sm">{t('shell.second_factor_needed')}</Text>
          <Button component={Link} to="/usersettings" size="compact-sm" variant="default">
            {t('shell.second_factor_set_up')}
          </Button>
        </div>
      )}
      {claims !== null && claims.view_role !== null && (
        <div className={classes.banner} role="status">
          <IconEye size={16} stroke={1.6} aria-hidden />
          <Text size="sm">{t('shell.view_as_now')}</Text>
          <Button size="compact-sm" variant="default" onClick={() => void viewAs(null).catch(showError)}>
            {t('shell.view_as_end')}
          </Button>
        </div>
      )}
      {isDemo && (
        <div className={classes.banner} role="status">
          <IconFlask size={16} stroke={1.6} aria-hidden />
          <Badge variant="filled">{t('shell.demo')}</Badge>
          <Text size="sm">{t('shell.demo_text')}</Text>
          <Button size="compact-sm" variant="default" onClick={() => void askToReset().catch(showError)}>
            {t('shell.demo_reset')}
          </Button>
        </div>
      )}
    </>
  )
}

async function askToReset(): Promise<void> {
  const isWanted = await confirm({
    title: t('shell.demo_reset_title'),
    text: t('shell.demo_reset_text'),
    confirmLabel: t('shell.demo_reset'),
    danger: true,
  })
  if (!isWanted) return
  const { resetDemo } = await import('../../demo/start-demo.ts')
  await resetDemo()
  notify.success(t('shell.demo_reset_done'))
}
