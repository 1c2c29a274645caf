import { testScdRules } from '@emma/contract/actions/scd-rules.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'

/** Evaluates the reply rules on a pasted reply. */
export function ScdTest(): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.scd_rule.test.${key}`)
  const [reply, setReply] = useState('')
  const test = useMutation({
    mutationFn: () => api.call(testScdRules, { body: { reply: reply.trim(), provider_id: null } }),
    onError: showError,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reply.trim().length >= 3) test.mutate()
  }
  const found = test.data
  return (
    <Card title={text('title')}>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={text('label')}
            placeholder="421 4.7.28 Our system has detected an unusual rate of mail"
            value={reply}
            maxLength={1000}
            onChange={event => setReply(event.currentTarget.value)}
            style={{ flex: '1 1 240px' }}
          />
          <Button type="submit" variant="default" loading={test.isPending}>
            {text('run')}
          </Button>
        </Group>
      </form>
      <Text size="sm" mt="sm" role="status">
        {found &&
          t(
            found.rule === null ? 'deliverability.scd_rule.test.none' : 'deliverability.scd_rule.test.found',
            {
              rule: found.rule ?? '',
              kind: text(`kinds.${found.kind}`),
              reason: t(`deliverability.scd_rule.classes.${found.class}`),
              hard: text(found.hard ? 'hard' : 'soft'),
              action: t(`deliverability.scd_rule.actions.${found.action}`),
            },
          )}
      </Text>
    </Card>
  )
}
