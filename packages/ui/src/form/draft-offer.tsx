import { Alert, Button, Group } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat, useTranslate } from '../words.tsx'
import type { FormDraft } from './use-record-form.ts'

/** Changes of last time that were never saved: take them up again, or forget them. */
export function DraftOffer({ draft }: { draft: FormDraft }): ReactNode {
  const say = useTranslate()
  const format = useFormat()
  return (
    <Alert
      color="blue"
      variant="light"
      icon={<IconPencil size={18} aria-hidden />}
      title={say('form.draft_title', { time: format.dateTime(draft.at) })}
    >
      {draft.isStale && <p>{say('form.draft_stale')}</p>}
      <Group gap="xs">
        <Button variant="default" onClick={draft.restore}>
          {say('form.draft_restore')}
        </Button>
        <Button variant="subtle" color="gray" onClick={draft.discard}>
          {say('form.draft_discard')}
        </Button>
      </Group>
    </Alert>
  )
}
