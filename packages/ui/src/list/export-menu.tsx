import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'

export type ExportKind = 'csv' | 'xlsx'

/** Exports all rows of the view as a file. */
export function ExportMenu({ onExport }: { onExport: (kind: ExportKind) => void }): ReactNode {
  const t = useTranslate()
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t('list.export')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('list.export')}>
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onExport('csv')}>{t('list.export_csv')}</Menu.Item>
        <Menu.Item onClick={() => onExport('xlsx')}>{t('list.export_xlsx')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
