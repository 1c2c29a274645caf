import { Button, Group, Stack, Textarea } from '@mantine/core'
import { IconCheck, IconRotate2, IconUserCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** What a user can do with an approval. */
export type Decision = 'request' | 'approve' | 'revoke'

interface ApprovalFormProps {
  /** Possible decisions, the main one first. */
  decisions: readonly Decision[]
  isDeciding: boolean
  onDecide: (decision: Decision, note: string | null) => void
}

const icons = { request: IconUserCheck, approve: IconCheck, revoke: IconRotate2 }

/** Optional note, and a button for each possible decision. */
export function ApprovalForm({ decisions, isDeciding, onDecide }: ApprovalFormProps): ReactNode {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  if (decisions.length === 0) return null
  return (
    <Stack gap="xs">
      <Textarea
        label={t('approval.note')}
        value={note}
        maxLength={1000}
        autosize
        minRows={1}
        maxRows={6}
        onChange={event => setNote(event.currentTarget.value)}
      />
      <Group gap="xs">
        {decisions.map((decision, index) => {
          const Icon = icons[decision]
          return (
            <Button
              key={decision}
              variant={index === 0 && decision !== 'revoke' ? 'filled' : 'default'}
              leftSection={<Icon size={16} aria-hidden />}
              disabled={isDeciding}
              onClick={() => onDecide(decision, note.trim() || null)}
            >
              {t(`approval.actions.${decision}`)}
            </Button>
          )
        })}
      </Group>
    </Stack>
  )
}
