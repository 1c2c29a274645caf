import type { RecordOf } from '@emma/client/emma-client.ts'
import type { IpciResult } from '@emma/contract/actions/placement.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import type { ipci } from '@emma/contract/resources/ipci.ts'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Anchor, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { PlacementBadge } from './placement-badge.tsx'
import { ReceivedMail } from './received-mail.tsx'

interface PlacementResultsProps {
  check: RecordOf<typeof ipci>
  results: readonly IpciResult[]
}

/** What the receiving server noted: passed, or what did not. */
function Authentication({ result: { spf, dkim, dmarc } }: { result: IpciResult }): ReactNode {
  const { t } = useTranslation()
  const noted = Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc }).filter(([, value]) => value !== null)
  if (noted.length === 0) return '–'
  const failed = noted.filter(([, value]) => value !== 'pass')
  return (
    <StatusBadge tone={failed.length === 0 ? 'positive' : 'negative'}>
      {failed.length === 0
        ? t('campaigns.placement.passed')
        : failed.map(([name, value]) => `${name} ${value}`).join(', ')}
    </StatusBadge>
  )
}

/** One placement check: its summary, and a row a mailbox with the mail as received behind it. */
export function PlacementResults({ check, results }: PlacementResultsProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [openId, setOpenId] = useState<number | null>(null)
  const text = (key: string, values: Record<string, unknown> = {}) => t(`campaigns.placement.${key}`, values)
  const isOver = check.valid === campaignState.finished
  if (check.error)
    return (
      <Alert color="red" variant="light" title={text('failed')}>
        {textOfFault(check.error)}
      </Alert>
    )
  const total = results.length
  return (
    <>
      <Text size="sm" px="md" py="sm" aria-live="polite">
        {text(isOver ? 'summary' : 'summary_running', {
          inbox: format.number(check.nb_inbox),
          total: format.number(total),
          waiting: format.number(check.nb_waiting),
          when: format.relative(check.sent_at ?? check.created_at),
        })}
      </Text>
      <SmallTable
        label={check.name}
        rows={results}
        rowKey={row => row.result_id}
        minWidth={560}
        columns={[
          { id: 'provider', header: text('provider'), width: 110, cell: row => row.provider },
          {
            id: 'email',
            header: text('mailbox'),
            cell: row =>
              row.placement === null || row.placement === 'missing' ? (
                row.email
              ) : (
                <Anchor component="button" type="button" ta="start" onClick={() => setOpenId(row.result_id)}>
                  {row.email}
                </Anchor>
              ),
          },
          {
            id: 'placement',
            header: text('placement'),
            width: 150,
            cell: row => (
              <>
                <PlacementBadge placement={row.placement} isOver={row.is_over} />
                {row.outcome !== null && row.outcome !== 'sent' && (
                  <Text size="xs" c="dimmed">
                    {row.reply ?? row.outcome}
                  </Text>
                )}
              </>
            ),
          },
          {
            id: 'delay',
            header: text('delay'),
            align: 'end',
            width: 70,
            cell: row => (row.delay_s === null ? '–' : format.duration(row.delay_s)),
          },
          {
            id: 'authentication',
            header: text('authentication'),
            width: 150,
            cell: row => <Authentication result={row} />,
          },
        ]}
      />
      {openId !== null && <ReceivedMail id={openId} onClose={() => setOpenId(null)} />}
    </>
  )
}
