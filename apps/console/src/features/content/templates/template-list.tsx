import { Group, SegmentedControl, VisuallyHidden } from '@mantine/core'
import { message } from '@emma/contract/resources/message.ts'
import { IconLayoutGrid, IconList, IconTrash } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { TemplateBin } from './template-bin.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import { TemplateGallery } from './template-gallery.tsx'
import { TemplateTable } from './template-table.tsx'

/** Templates as a gallery, as a table (`?view=table`), or those in the bin (`?view=bin`). */
export default function TemplateList(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { view }: { view?: unknown } = useSearch({ strict: false })
  const { mayDelete } = useRights(message)
  const shown = view === 'table' || (view === 'bin' && mayDelete) ? view : 'gallery'
  const create = <NewButton resource={message} href="/templates/edit/new" label={t('content.message.new')} />
  return (
    <Page
      title={t('screens.templates')}
      actions={
        <>
          <SegmentedControl
            aria-label={t('content.message.view')}
            value={shown}
            data={[
              {
                value: 'gallery',
                label: <Sign icon={<IconLayoutGrid size={16} />} text={t('content.message.gallery')} />,
              },
              {
                value: 'table',
                label: <Sign icon={<IconList size={16} />} text={t('content.message.table')} />,
              },
              ...(mayDelete
                ? [
                    {
                      value: 'bin',
                      label: <Sign icon={<IconTrash size={16} />} text={t('content.message.bin')} />,
                    },
                  ]
                : []),
            ]}
            onChange={next =>
              void navigate({ to: '.', search: next === 'gallery' ? {} : { view: next }, replace: true })
            }
          />
          {create}
        </>
      }
    >
      {shown === 'gallery' && <TemplateGallery create={create} />}
      {shown === 'table' && <TemplateTable create={create} />}
      {shown === 'bin' && <TemplateBin />}
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
