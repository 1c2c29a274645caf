import { queryKeys } from '@emma/client/query-keys.ts'
import { listScdActions, type ScdActionRow, undoScdAction } from '@emma/contract/actions/scd-rules.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { replyRuleName } from '../../../shell/resource/reply-rule-name.ts'
import { errorText, showError } from '../../../shell/i18n/error-text.ts'

/** Latest actions of all reply rules or of one, with undo. */
export function ScdLog({ ruleId }: { ruleId?: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const text = (key: string) => t(`deliverability.scd_rule.log.${key}`)
  const input = { query: { limit: 10, ...(ruleId === undefined ? {} : { rule_id: ruleId }) } }
  const key = queryKeys.action(listScdActions, input)
  const log = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.call(listScdActions, { ...input, signal }),
  })
  const undo = useMutation({
    mutationFn: (id: number) => api.call(undoScdAction, { params: { id } }),
    onSuccess: () => {
      notify.success(text('undone'))
      return client.invalidateQueries({ queryKey: key })
    },
    onError: showError,
  })
  if (!log.data)
    return (
      <Card title={text('title')}>
        {log.error ? (
          <Alert color="red" variant="light">
            {errorText(log.error)}
          </Alert>
        ) : (
          <Skeleton height={72} />
        )}
      </Card>
    )
  const rows = log.data.data
  if (rows.length === 0)
    return (
      <Card title={text('title')}>
        <Text size="sm" c="dimmed">
          {text('none')}
        </Text>
      </Card>
    )
  return (
    <Card title={text('title')}>
      <SmallTable
        label={text('title')}
        minWidth={820}
        rows={rows}
        rowKey={row => row.id}
        columns={[
          { id: 'rule', header: text('rule'), cell: row => replyRuleName(row.rule) },
          { id: 'what', header: text('what'), cell: row => <What row={row} /> },
          {
            id: 'reply',
            header: text('reply'),
            cell: row => (
              <Text size="sm" lineClamp={2}>
                {row.reply}
              </Text>
            ),
          },
          { id: 'hits', header: text('hits'), align: 'end', width: 80, cell: row => format.number(row.hits) },
          { id: 'at', header: text('at'), width: 160, cell: row => format.dateTime(row.acted_at) },
          {
            id: 'undo',
            header: text('state'),
            width: 150,
            cell: row => (
              <UndoButton
                row={row}
                now={log.dataUpdatedAt}
                isBusy={undo.isPending}
                onUndo={() => undo.mutate(row.id)}
              />
            ),
          },
        ]}
      />
    </Card>
  )
}

function What({ row }: { row: ScdActionRow }): ReactNode {
  const { t } = useTranslation()
  const object = {
    backoff_provider: [row.provider, row.mailclass],
    quarantine_ip: [row.send_ip ?? row.mailclass],
    pause_campaign: [row.campaign],
    blacklist: [row.email],
    none: [],
    deactivate: [],
    retry_after: [],
  }[row.action]
  return (
    <>
      {t(`deliverability.scd_rule.actions.${row.action}`)}
      <Text size="xs" c="dimmed">
        {[...object, row.client].filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}

function UndoButton({
  row,
  now,
  isBusy,
  onUndo,
}: {
  row: ScdActionRow
  now: number
  isBusy: boolean
  onUndo: () => void
}): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.scd_rule.log.${key}`)
  if (row.undone_at !== null) return text('is_undone')
  if (row.until !== null && Date.parse(row.until) < now) return text('is_over')
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={isBusy}
      onClick={onUndo}
      aria-label={t('deliverability.scd_rule.log.undo_of', { rule: replyRuleName(row.rule) })}
    >
      {text('undo')}
    </Button>
  )
}
