import { Group, SegmentedControl, VisuallyHidden } from '@mantine/core'
import { message } from '@emma/contract/resources/message.ts'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { TemplateGallery } from './template-gallery.tsx'
import { TemplateTable } from './template-table.tsx'

/** Templates as a gallery, or as a table (`?view=table`). */
export default function TemplateList(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { view }: { view?: unknown } = useSearch({ strict: false })
  const isTable = view === 'table'
  const create = <NewButton resource={message} href="/templates/edit/new" label={t('content.message.new')} />
  return (
    <Page
      title={t('screens.templates')}
      actions={
        <>
          <SegmentedControl
            aria-label={t('content.message.view')}
            value={isTable ? 'table' : 'gallery'}
            data={[
              {
                value: 'gallery',
                label: <Sign icon={<IconLayoutGrid size={16} />} text={t('content.message.gallery')} />,
              },
              {
                value: 'table',
                label: <Sign icon={<IconList size={16} />} text={t('content.message.table')} />,
              },
            ]}
            onChange={next =>
              void navigate({ to: '.', search: next === 'table' ? { view: 'table' } : {}, replace: true })
            }
          />
          {create}
        </>
      }
    >
      {isTable ? <TemplateTable create={create} /> : <TemplateGallery create={create} />}
    </Page>
  )
}

function Sign({ icon, text }: { icon: ReactNode; text: string }): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      {icon}
      <VisuallyHidden>{text}</VisuallyHidden>
    </Group>
  )
}
