import { Alert, Button, Group } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import type { FormDraft } from './use-record-form.ts'

/** Offers to restore or discard a stored draft. */
export function DraftOffer({ draft }: { draft: FormDraft }): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  return (
    <Alert
      color="blue"
      variant="light"
      icon={<IconPencil size={18} aria-hidden />}
      title={t('form.draft_title', { time: format.dateTime(draft.at) })}
    >
      {draft.isStale && <p>{t('form.draft_stale')}</p>}
      <Group gap="xs">
        <Button variant="default" onClick={draft.restore}>
          {t('form.draft_restore')}
        </Button>
        <Button variant="subtle" color="gray" onClick={draft.discard}>
          {t('form.draft_discard')}
        </Button>
      </Group>
    </Alert>
  )
}
