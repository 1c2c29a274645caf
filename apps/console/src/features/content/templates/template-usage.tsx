import { queryKeys } from '@emma/client/query-keys.ts'
import type { RecordOf } from '@emma/client/emma-client.ts'
import { listReports } from '@emma/contract/actions/reports.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import type { message } from '@emma/contract/resources/message.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { Table, Text } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { holds, useSession } from '../../../shell/session/use-session.ts'

type Message = Pick<RecordOf<typeof message>, 'message_id' | 'name'>

/** Most campaigns that are listed, the latest first. */
const SHOWN = 50

/** Row action "Used in" for templates with its dialog; no action without the permission. */
export function useTemplateUsage(): { forRow: (row: Message) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation()
  const session = useSession()
  const [template, setTemplate] = useState<Message | null>(null)
  const mayRead = holds(session, { all: ['EmmaCampaign:get', 'EmmaReport:get'] })
  return {
    forRow: row =>
      mayRead
        ? [
            {
              id: 'usage',
              label: t('content.message.usage.action'),
              icon: <IconMailForward size={16} />,
              run: () => setTemplate(row),
            },
          ]
        : [],
    dialog: template && (
      <Dialog
        title={t('content.message.usage.title', { name: template.name })}
        isOpen
        onClose={() => setTemplate(null)}
        size="lg"
      >
        <Usage templateId={template.message_id} />
      </Dialog>
    ),
  }
}

/** Campaigns that send the template: planned ones with their start, sent ones with their result. */
function Usage({ templateId }: { templateId: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error, refetch } = useCampaigns(templateId)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <BlockSkeleton height={120} />
  if (data.length === 0) return <Text c="dimmed">{t('content.message.usage.none')}</Text>
  return (
    <Table.ScrollContainer minWidth={440}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {(['campaign', 'start', 'sent', 'opened', 'clicked'] as const).map(column => (
              <Table.Th key={column}>{t(`content.message.usage.${column}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map(({ id, name, start, report }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Link
                  to={report ? '/campaigns/reports/$id' : '/campaigns/edit/$id'}
                  params={{ id: String(id) }}
                >
                  {name}
                </Link>
              </Table.Td>
              <Table.Td>
                {start === null ? t('content.message.usage.unplanned') : format.dateTime(start)}
              </Table.Td>
              <Table.Td>{report ? format.number(report.nb_send) : ''}</Table.Td>
              <Table.Td>{report ? shareOf(report.nb_open, report.nb_delivered) : ''}</Table.Td>
              <Table.Td>{report ? shareOf(report.nb_click, report.nb_delivered) : ''}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )

  function shareOf(people: number, delivered: number): string {
    return delivered === 0 ? '' : format.percent(people / delivered)
  }
}

function useCampaigns(templateId: number) {
  return useQuery({
    queryKey: [...queryKeys.lists(campaign), 'usage', templateId],
    queryFn: async ({ signal }) => {
      const filters = { message_id: templateId }
      const sort = { field: 'startdate', descending: true }
      const [campaigns, reports] = await Promise.all([
        api.list(campaign, { filters, sort, limit: SHOWN }, { signal }),
        api.call(listReports, { query: { ...filters, limit: SHOWN }, signal }),
      ])
      return campaigns.data.map(({ campagne_id: id, name, startdate, started_at }) => ({
        id,
        name,
        start: started_at ?? startdate,
        report: reports.data.find(report => report.campagne_id === id) ?? null,
      }))
    },
  })
}
