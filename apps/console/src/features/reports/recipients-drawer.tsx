import { listRecipients } from '@emma/contract/actions/reports.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { Column, FilterOption } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useLocalListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSplitReport } from '../../shell/resource/split-state.tsx'
import { api } from '../../shell/session/api.ts'
import { useClassificationText } from '../../shell/i18n/use-classification-text.ts'
import { DownloadButton } from './download-button.tsx'
import type { People, Recipient, Report, Who } from './report-query.ts'
import { recipientsOf, usePartName } from './split/use-part-name.ts'
import classes from './reports.module.css'

interface RecipientsDrawerProps {
  report: Report
  people: People | null
  onClose: () => void
}

/** Drawer that lists the recipients counted by a figure, with their delivery status. */
export function RecipientsDrawer(props: RecipientsDrawerProps): ReactNode {
  const { people, onClose } = props
  return (
    <DetailsDrawer title={people?.title ?? ''} isOpen={people !== null} onClose={onClose} size="xl">
      {people && <Recipients {...props} key={JSON.stringify(people.who)} people={people} />}
    </DetailsDrawer>
  )
}

function Recipients(props: RecipientsDrawerProps & { people: People }): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useLocalListState()
  const { report, people } = props
  const { campagne_id: campaignId, member_table_id: memberTableId } = report
  const { title } = people
  const variants = useVariants(report)
  const chosen = variants.find(({ value }) => value === state.filters.variant?.[0])
  const who = { ...people.who, ...(chosen && { variant: chosen.value }) }
  return (
    <div className={classes.recipients}>
      <div>
        <DownloadButton campaignId={campaignId} name={title} who={who} />
      </div>
      <ListScreen<Recipient>
        name="recipient"
        label={title}
        columns={useColumns(people.who, variants.length > 0)}
        filters={
          isWithoutVariant(people.who) || variants.length === 0
            ? []
            : [
                {
                  name: 'variant',
                  label: t('reports.split.columns.variant'),
                  kind: 'choice',
                  single: true,
                  pinned: true,
                  options: variants,
                },
              ]
        }
        rowKey={row => row.member_id}
        rowLabel={row => row.email}
        queryKey={queryKeys.action(listRecipients, { campaignId, who: people.who })}
        load={({ limit, offset, search }, options) =>
          api.call(listRecipients, {
            params: { id: campaignId },
            query: { ...who, limit: limit ?? 25, offset: offset ?? 0, search },
            ...options,
          })
        }
        state={state}
        {...(memberTableId === null
          ? {}
          : { href: row => `/subscribers/edit/${row.member_id}?table=${memberTableId}` })}
        onStateChange={setState}
        fill={false}
        exportName={false}
        empty={{ title: t('reports.nobody') }}
      />
    </div>
  )
}

interface Variant extends FilterOption {
  value: NonNullable<Who['variant']>
}

/** Whether recipients are of one variant anyway, or skipped members, who have none. */
function isWithoutVariant({ variant, reason, state }: Who): boolean {
  return variant !== undefined || reason !== undefined || state === 'skipped'
}

/** Variants of the A/B test that recipients got, and the rest; none without a test. */
function useVariants(report: Report): Variant[] {
  const { data } = useSplitReport(report, report.has_split === true)
  const nameOf = usePartName()
  if (!data || data.variants.length === 1) return []
  return data.parts.flatMap(part => {
    const { variant: value } = recipientsOf(part)
    return value === undefined ? [] : [{ value, label: nameOf(data, part) }]
  })
}

const tones: Record<Recipient['state'], Tone> = {
  pending: 'neutral',
  claimed: 'active',
  sent: 'positive',
  deferred: 'caution',
  rejected: 'negative',
  unknown: 'caution',
  skipped: 'neutral',
  cancelled: 'neutral',
}

function useColumns({ event }: Who, isTested: boolean): Column<Recipient>[] {
  const { t } = useTranslation()
  const sayHit = useClassificationText()
  const format = useFormat()
  const label = (field: string) => t(`reports.recipient.${field}`)
  const at = (id: 'event_at' | 'recorded_at', header: string, isHidden = false): Column<Recipient> => ({
    id,
    header,
    width: 176,
    hidden: isHidden,
    cell: row => format.dateTime(row[id]),
  })
  const hit: Column<Recipient> = {
    id: 'hit',
    header: label('hit'),
    cell: row => (row.verdict ? sayHit(row.verdict, row.verdict_reason) : ''),
  }
  return [
    { id: 'email', header: label('email'), cell: row => row.email },
    {
      id: 'state',
      header: label('state'),
      width: 124,
      cell: row => <StatusBadge tone={tones[row.state]}>{t(`delivery_state.${row.state}`)}</StatusBadge>,
    },
    {
      id: 'reply',
      header: label('reply'),
      cell: row => (row.skip_reason ? t(`skip_reason.${row.skip_reason}`) : (row.reply ?? '')),
    },
    ...(isTested
      ? [
          {
            id: 'variant',
            header: t('reports.split.columns.variant'),
            width: 90,
            cell: (row: Recipient) => row.variant ?? '–',
          },
        ]
      : []),
    ...(event === 'open' || event === 'click' || event === 'hit' ? [hit] : []),
    {
      id: 'provider',
      header: label('provider'),
      width: 110,
      hidden: true,
      cell: row => row.provider ?? '–',
    },
    ...(event ? [at('event_at', t(`reports.recipient.event.${event}`))] : []),
    at('recorded_at', label('recorded_at'), event !== undefined),
  ]
}
