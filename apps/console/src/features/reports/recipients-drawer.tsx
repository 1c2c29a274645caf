import { listRecipients } from '@emma/contract/actions/reports.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useLocalListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/words.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/api.ts'
import { useHitWords } from '../../shell/use-hit-words.ts'
import { DownloadButton } from './download-button.tsx'
import type { Recipient, Who } from './report-query.ts'
import classes from './reports.module.css'

/** The people behind one figure. */
export interface People {
  title: string
  who: Who
}

interface RecipientsDrawerProps {
  campaignId: number
  people: People | null
  onClose: () => void
}

/** Who is behind a number: each person with what became of the mail. */
export function RecipientsDrawer({ campaignId, people, onClose }: RecipientsDrawerProps): ReactNode {
  return (
    <DetailsDrawer title={people?.title ?? ''} isOpen={people !== null} onClose={onClose} size="xl">
      {people && <Recipients key={JSON.stringify(people.who)} campaignId={campaignId} people={people} />}
    </DetailsDrawer>
  )
}

function Recipients({ campaignId, people }: { campaignId: number; people: People }): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useLocalListState()
  const { who, title } = people
  return (
    <div className={classes.recipients}>
      <div>
        <DownloadButton campaignId={campaignId} name={title} who={who} />
      </div>
      <ListScreen
        name="recipient"
        label={title}
        columns={useColumns(who)}
        rowKey={row => row.member_id}
        rowLabel={row => row.email}
        queryKey={queryKeys.action(listRecipients, { campaignId, who })}
        load={({ limit, offset, search }, options) =>
          api.call(listRecipients, {
            params: { id: campaignId },
            query: { ...who, limit: limit ?? 25, offset: offset ?? 0, search },
            ...options,
          })
        }
        state={state}
        onStateChange={setState}
        fill={false}
        exportName={false}
        empty={{ title: t('reports.nobody') }}
      />
    </div>
  )
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

function useColumns({ event }: Who): Column<Recipient>[] {
  const { t } = useTranslation()
  const sayHit = useHitWords()
  const format = useFormat()
  const label = (field: string) => t(`reports.recipient.${field}`)
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
    ...(event === 'open' || event === 'click' || event === 'hit' ? [hit] : []),
    {
      id: 'provider',
      header: label('provider'),
      width: 110,
      hidden: true,
      cell: row => row.provider ?? '–',
    },
    {
      id: 'recorded_at',
      header: label('recorded_at'),
      width: 176,
      cell: row => format.dateTime(row.recorded_at),
    },
  ]
}
