import type { Permission } from '@emma/contract/permissions.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconTemplate, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../shell/session/can.tsx'

/** Buttons of frequent actions, as far as the user has the permissions. */
export function QuickActions(): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <Can demand={may('DataUpload:post')}>
        <Button
          component={Link}
          to="/subscribers/dataupload/edit/new"
          variant="default"
          leftSection={<IconUpload size={16} />}
        >
          {t('dashboard.actions.upload')}
        </Button>
      </Can>
      <Can demand={may('EmmaMessage:post')}>
        <Button
          component={Link}
          to="/templates/edit/new"
          variant="default"
          leftSection={<IconTemplate size={16} />}
        >
          {t('dashboard.actions.template')}
        </Button>
      </Can>
      <Can demand={may('EmmaCampaign:post')}>
        <Button component={Link} to="/campaigns/edit/new" leftSection={<IconPlus size={16} stroke={2} />}>
          {t('dashboard.actions.campaign')}
        </Button>
      </Can>
    </>
  )
}

function may(permission: Permission) {
  return { all: [permission] }
}
