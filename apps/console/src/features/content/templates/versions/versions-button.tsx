import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlDrawer } from '../../../../shell/layout/use-url-drawer.ts'
import { VersionList } from './version-list.tsx'

interface VersionsButtonProps {
  messageId: number
  /** A version is not restored over unsaved changes. */
  hasChanges: boolean
}

/** Opens the versions of a template in a dialog. */
export function VersionsButton({ messageId, hasChanges }: VersionsButtonProps): ReactNode {
  const { t } = useTranslation()
  const drawer = useUrlDrawer('versions')
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconHistory size={16} stroke={1.6} />}
        onClick={() => drawer.open(true)}
      >
        {t('content.versions.open')}
      </Button>
      <Dialog
        title={t('content.versions.title')}
        size="90%"
        isOpen={drawer.value === true}
        onClose={drawer.close}
      >
        <VersionList messageId={messageId} hasChanges={hasChanges} onRestored={drawer.close} />
      </Dialog>
    </>
  )
}
