import { COMMENT_LENGTH } from '@emma/contract/resources/campaign-comment.ts'
import { Button, Group, Stack, Textarea } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'

interface CommentFormProps {
  label: string
  submitLabel: string
  initial?: string
  /** Stores the text; the form is emptied afterwards. */
  onSubmit: (text: string) => Promise<unknown>
  /** Shows a button to cancel; Escape cancels too. */
  onCancel?: () => void
}

/** Text of a comment, submitted by its button or Ctrl+Enter. */
export function CommentForm(props: CommentFormProps): ReactNode {
  const { label, submitLabel, initial = '', onSubmit, onCancel } = props
  const { t } = useTranslation()
  const [text, setText] = useState(initial)
  const [isSaving, setSaving] = useState(false)
  const isEmpty = text.trim() === ''
  async function submit(): Promise<void> {
    if (isEmpty || isSaving) return
    setSaving(true)
    try {
      await onSubmit(text.trim())
      setText('')
    } catch (error) {
      showError(error)
    } finally {
      setSaving(false)
    }
  }
  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape' && onCancel) {
      event.stopPropagation()
      onCancel()
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void submit()
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack gap="xs">
        <Textarea
          label={label}
          description={t('campaigns.comments.hint')}
          value={text}
          maxLength={COMMENT_LENGTH}
          autosize
          minRows={2}
          maxRows={12}
          autoFocus={onCancel !== undefined}
          onChange={event => setText(event.currentTarget.value)}
          onKeyDown={press}
        />
        <Group gap="xs">
          <Button type="submit" size="sm" loading={isSaving} disabled={isEmpty}>
            {submitLabel}
          </Button>
          {onCancel && (
            <Button size="sm" variant="default" onClick={onCancel}>
              {t('campaigns.comments.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
