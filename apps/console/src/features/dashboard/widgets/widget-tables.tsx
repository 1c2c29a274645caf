import { dashboardViews } from '@emma/contract/dashboard-views.ts'
import { SmallTable, type SmallColumn } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CampaignProgressBar, useCampaignProgress } from '../../../shell/resource/campaign-live.tsx'
import { CampaignBadge } from '../../../shell/resource/campaign-state.tsx'
import classes from '../dashboard.module.css'
import type { BodyProps } from './body-props.ts'

/** Table of the most recently started campaigns. */
export function Campaigns({ data, title, isShared }: BodyProps): ReactNode {
  const format = useFormat()
  const progress = useCampaignProgress()
  const label = useColumnLabel()
  const { rows } = dashboardViews.campaigns.parse(data)
  const rate = (count: number, all: number) => (all > 0 ? format.percent(count / all) : '–')
  return (
    <Rows
      title={title}
      empty="dashboard.none"
      minWidth={860}
      rows={rows}
      rowKey={row => row.campagne_id}
      columns={[
        {
          id: 'name',
          header: label('campaign'),
          cell: row => (
            <Name to={`/campaigns/reports/${row.campagne_id}`} isShared={isShared} name={row.name} />
          ),
        },
        { id: 'state', header: label('state'), width: 140, cell: row => <CampaignBadge valid={row.valid} /> },
        {
          id: 'progress',
          header: label('progress'),
          width: 150,
          cell: row => <CampaignProgressBar campaign={row} live={progress.get(row.campagne_id)} />,
        },
        { id: 'start', header: label('start'), width: 170, cell: row => format.dateTime(row.started_at) },
        { id: 'sent', header: label('sent'), align: 'end', cell: row => format.number(row.nb_send) },
        {
          id: 'delivered',
          header: label('delivered'),
          align: 'end',
          cell: row => rate(row.nb_delivered, row.nb_send),
        },
        {
          id: 'opened',
          header: label('opened'),
          align: 'end',
          cell: row => rate(row.nb_open, row.nb_delivered),
        },
        {
          id: 'clicked',
          header: label('clicked'),
          align: 'end',
          cell: row => rate(row.nb_click, row.nb_delivered),
        },
      ]}
    />
  )
}

/** Table of running campaigns, updated live, and of waiting ones. */
export function Queue({ data, title, isShared }: BodyProps): ReactNode {
  const format = useFormat()
  const progress = useCampaignProgress()
  const label = useColumnLabel()
  const { rows } = dashboardViews.queue.parse(data)
  return (
    <Rows
      title={title}
      empty="dashboard.nothing_runs"
      rows={rows}
      rowKey={row => row.campagne_id}
      columns={[
        {
          id: 'name',
          header: label('campaign'),
          cell: row => (
            <Name to={`/campaigns/start/${row.campagne_id}`} isShared={isShared} name={row.name} />
          ),
        },
        { id: 'state', header: label('state'), width: 130, cell: row => <CampaignBadge valid={row.valid} /> },
        {
          id: 'progress',
          header: label('progress'),
          width: 150,
          cell: row => <CampaignProgressBar campaign={row} live={progress.get(row.campagne_id)} />,
        },
        { id: 'start', header: label('start'), width: 150, cell: row => format.dateTime(row.startdate) },
      ]}
    />
  )
}

export function Bounces({ data, title }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const label = useColumnLabel()
  const { rows } = dashboardViews.bounces.parse(data)
  return (
    <Rows
      title={title}
      empty="dashboard.no_bounces"
      minWidth={280}
      rows={rows}
      rowKey={row => `${row.class} ${row.hard}`}
      columns={[
        { id: 'class', header: label('reason'), cell: row => row.class.replaceAll('_', ' ') },
        { id: 'hard', header: label('kind'), cell: row => t(row.hard ? 'dashboard.hard' : 'dashboard.soft') },
        { id: 'people', header: label('people'), align: 'end', cell: row => format.number(row.people) },
      ]}
    />
  )
}

export function Links({ data, title }: BodyProps): ReactNode {
  const format = useFormat()
  const label = useColumnLabel()
  const { rows } = dashboardViews.links.parse(data)
  return (
    <Rows
      title={title}
      empty="dashboard.no_clicks"
      minWidth={320}
      rows={rows}
      rowKey={row => row.url}
      columns={[
        {
          id: 'url',
          header: label('link'),
          cell: row => (
            <span className={classes.url} title={row.url}>
              {row.name ?? row.url.replace(/^https?:\/\//, '')}
            </span>
          ),
        },
        {
          id: 'people',
          header: label('people'),
          align: 'end',
          width: 90,
          cell: row => format.number(row.people),
        },
        {
          id: 'clicks',
          header: label('clicks'),
          align: 'end',
          width: 90,
          cell: row => format.number(row.clicks),
        },
      ]}
    />
  )
}

export function Providers({ data, title }: BodyProps): ReactNode {
  const format = useFormat()
  const label = useColumnLabel()
  const { rows } = dashboardViews.providers.parse(data)
  return (
    <Rows
      title={title}
      empty="dashboard.none"
      minWidth={360}
      rows={rows}
      rowKey={row => row.provider_id}
      columns={[
        { id: 'name', header: label('provider'), cell: row => row.name },
        { id: 'sent', header: label('sent'), align: 'end', cell: row => format.number(row.sent) },
        {
          id: 'accepted',
          header: label('accepted'),
          align: 'end',
          cell: row => (row.sent > 0 ? format.percent(row.accepted / row.sent) : '–'),
        },
        { id: 'waiting', header: label('waiting'), align: 'end', cell: row => format.number(row.waiting) },
      ]}
    />
  )
}

export function Domains({ data, title, isShared }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const label = useColumnLabel()
  const { rows } = dashboardViews.domains.parse(data)
  const check = (isRight: boolean | null) => {
    if (isRight === null) return '–'
    return (
      <StatusBadge tone={isRight ? 'positive' : 'negative'}>
        {t(isRight ? 'dashboard.right' : 'dashboard.wrong')}
      </StatusBadge>
    )
  }
  return (
    <Rows
      title={title}
      empty="dashboard.no_domains"
      minWidth={520}
      rows={rows}
      rowKey={row => row.domain_id}
      columns={[
        {
          id: 'name',
          header: label('domain'),
          cell: row => (
            <Name to={`/settings/domains/edit/${row.domain_id}`} isShared={isShared} name={row.name} />
          ),
        },
        { id: 'spf', header: 'SPF', cell: row => check(row.spf_ok) },
        { id: 'dkim', header: 'DKIM', cell: row => check(row.dkim_ok) },
        { id: 'dmarc', header: 'DMARC', cell: row => check(row.dmarc_ok) },
        {
          id: 'listed',
          header: label('blocklist'),
          cell: row => (
            <StatusBadge tone={row.is_blocklisted ? 'negative' : 'positive'}>
              {t(row.is_blocklisted ? 'dashboard.listed' : 'dashboard.not_listed')}
            </StatusBadge>
          ),
        },
      ]}
    />
  )
}

export function Doi({ data, title }: BodyProps): ReactNode {
  const format = useFormat()
  const label = useColumnLabel()
  const { rows } = dashboardViews.doi.parse(data)
  return (
    <Rows
      title={title}
      empty="dashboard.no_doi"
      minWidth={260}
      rows={rows}
      rowKey={row => row.member_table_id}
      columns={[
        { id: 'name', header: label('datasource'), cell: row => row.name },
        { id: 'pending', header: label('pending'), align: 'end', cell: row => format.number(row.pending) },
        { id: 'active', header: label('active'), align: 'end', cell: row => format.number(row.active) },
      ]}
    />
  )
}

const uploadTones = ['neutral', 'info', 'active', 'positive', 'negative', 'neutral'] as const

export function Imports({ data, title, isShared }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const label = useColumnLabel()
  const { rows } = dashboardViews.imports.parse(data)
  return (
    <Rows
      title={title}
      empty="dashboard.no_imports"
      minWidth={460}
      rows={rows}
      rowKey={row => row.id}
      columns={[
        {
          id: 'name',
          header: label('file'),
          cell: row => (
            <Name to={`/subscribers/dataupload/edit/${row.id}`} isShared={isShared} name={row.filename} />
          ),
        },
        {
          id: 'status',
          header: label('state'),
          width: 130,
          cell: row => (
            <StatusBadge tone={uploadTones[row.status] ?? 'neutral'} isLive={row.status === 2}>
              {t(`dashboard.upload_states.${row.status}`)}
            </StatusBadge>
          ),
        },
        {
          id: 'rows',
          header: label('rows_ok'),
          align: 'end',
          width: 110,
          cell: row => format.number(row.rows_ok),
        },
        { id: 'at', header: label('at'), width: 150, cell: row => format.dateTime(row.created_at) },
      ]}
    />
  )
}

interface RowsProps<Row> {
  title: string
  /** Shown without rows. */
  empty: string
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  columns: readonly SmallColumn<Row>[]
  minWidth?: number
}

export function Rows<Row>({ title, empty, ...table }: RowsProps<Row>): ReactNode {
  const { t } = useTranslation()
  if (table.rows.length === 0) return <div className={classes.empty}>{t(empty)}</div>
  return <SmallTable label={title} {...table} />
}

function Name({ to, name, isShared }: { to: string; name: string; isShared: boolean }): ReactNode {
  if (isShared) return name
  return (
    <Anchor component={Link} to={to} size="sm" fw={500}>
      {name}
    </Anchor>
  )
}

export function useColumnLabel(): (key: string) => string {
  const { t } = useTranslation()
  return key => t(`dashboard.columns.${key}`)
}
