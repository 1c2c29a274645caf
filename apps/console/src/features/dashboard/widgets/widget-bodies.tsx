import { dashboardViews, viewAge } from '@emma/contract/dashboard-views.ts'
import type { ViewType } from '@emma/contract/resources/dashboard.ts'
import { TimeChart } from '@emma/ui/charts/axis-chart.tsx'
import { Funnel } from '@emma/ui/charts/funnel.tsx'
import { Sparkline } from '@emma/ui/charts/sparkline.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../dashboard.module.css'
import { chartHeight } from '../grid-size.ts'
import { Messages } from './widget-messages.tsx'
import * as tables from './widget-tables.tsx'
import type { BodyProps } from './body-props.ts'
import { Placement } from './widget-placement.tsx'

/** Body of a widget. A module of its own, loaded in parallel with the figures. */
export function WidgetBody({ type, ...props }: BodyProps & { type: ViewType }): ReactNode {
  const Body = widgetBodies[type]
  return <Body {...props} />
}

const widgetBodies: Record<ViewType, (props: BodyProps) => ReactNode> = {
  overview: Overview,
  volume: Volume,
  rates: Rates,
  complaints: Complaints,
  subscribers: Subscribers,
  funnel: FunnelBody,
  quota: Quota,
  campaigns: tables.Campaigns,
  queue: tables.Queue,
  bounces: tables.Bounces,
  links: tables.Links,
  providers: tables.Providers,
  domains: tables.Domains,
  doi: tables.Doi,
  imports: tables.Imports,
  ipci: Placement,
  motd: Messages,
}

function Overview({ data }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const view = dashboardViews.overview.parse(data)
  const { as_of } = viewAge.parse(data)
  const opens = view.volume.reduce((sum, day) => sum + day.opens, 0)
  const label = (key: string) => t(`dashboard.figures.${key}`)
  return (
    <div className={classes.figures}>
      <Figures>
        <Figure
          label={label('members')}
          value={format.number(view.members_active)}
          note={`${t('dashboard.of', { total: format.number(view.members_total) })} · ${t('dashboard.as_of', { time: format.exactTime(as_of) })}`}
        />
        <Figure
          label={label('sent')}
          value={format.number(view.sent_month)}
          chart={<Sparkline values={view.volume.map(day => day.sent)} />}
        />
        <Figure
          label={label('opens')}
          value={format.number(opens)}
          chart={<Sparkline values={view.volume.map(day => day.opens)} color="var(--emma-chart-2)" />}
        />
        <Figure
          label={label('running')}
          value={format.number(view.campaigns_running)}
          note={t('dashboard.scheduled', { number: format.number(view.campaigns_scheduled) })}
        />
      </Figures>
    </div>
  )
}

function Volume({ data, ...props }: BodyProps): ReactNode {
  const { days } = dashboardViews.volume.parse(data)
  return <Days {...props} look="bar" isStacked days={days} series={['sent', 'bounced']} />
}

function Rates({ data, ...props }: BodyProps): ReactNode {
  const { days } = dashboardViews.rates.parse(data)
  return (
    <Days
      {...props}
      look="line"
      days={days}
      series={['opens', 'clicks', 'opens_machine', 'clicks_machine']}
    />
  )
}

function Complaints({ data, ...props }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { days, sent } = dashboardViews.complaints.parse(data)
  const complaints = days.reduce((sum, day) => sum + day.complaints, 0)
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('dashboard.complaint_rate', {
          complaints: format.number(complaints),
          rate: sent > 0 ? format.percent(complaints / sent, 2) : '–',
        })}
      </Text>
      <Days {...props} less={22} look="bar" days={days} series={['complaints', 'unsubscribes']} />
    </>
  )
}

function Subscribers({ data, ...props }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { active, total, days } = dashboardViews.subscribers.parse(data)
  const growth = days.reduce((sum, day) => sum + day.joined - day.left, 0)
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('dashboard.growth', {
          active: format.number(active),
          total: format.number(total),
          growth: `${growth > 0 ? '+' : ''}${format.number(growth)}`,
        })}
      </Text>
      <Days {...props} less={22} look="bar" days={days} series={['joined', 'left']} />
    </>
  )
}

interface DaysProps<S extends string> extends Omit<BodyProps, 'data'> {
  days: readonly ({ day: string } & Record<S, number>)[]
  series: readonly S[]
  look: 'bar' | 'line'
  isStacked?: boolean
  /** Height in px that other content above the chart takes. */
  less?: number
}

/** Chart of daily figures. */
function Days<S extends string>(props: DaysProps<S>): ReactNode {
  const { days, series, look, isStacked = false, rows, title, less = 0 } = props
  const { t } = useTranslation()
  return (
    <TimeChart
      label={title}
      look={look}
      isStacked={isStacked}
      height={chartHeight(rows) - less}
      times={days.map(({ day }) => `${day}T12:00:00Z`)}
      series={series.map(name => ({
        name: t(seriesKey(name)),
        values: days.map(day => day[name]),
        ...(colors[name] === undefined ? {} : { color: colors[name] }),
      }))}
    />
  )
}

/** Colors of series with a positive or negative meaning; others use the palette. */
const colors: Readonly<Record<string, string>> = {
  sent: 'var(--emma-positive)',
  bounced: 'var(--emma-negative)',
  complaints: 'var(--emma-negative)',
  unsubscribes: 'var(--emma-caution)',
  joined: 'var(--emma-positive)',
  left: 'var(--emma-negative)',
  opens_machine: 'var(--emma-chart-7)',
  clicks_machine: 'var(--emma-chart-5)',
}

function seriesKey(name: string): string {
  return `dashboard.series.${name}`
}

function FunnelBody({ data, title }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const view = dashboardViews.funnel.parse(data)
  if (view.campaigns === 0) return <div className={classes.empty}>{t('dashboard.none')}</div>
  const steps = [
    ['sent', view.nb_send, view.nb_recipients],
    ['delivered', view.nb_delivered, view.nb_send],
    ['opened', view.nb_open, view.nb_delivered],
    ['clicked', view.nb_click, view.nb_delivered],
    ['unsubscribed', view.nb_unsubscribe, view.nb_delivered],
  ] as const
  return (
    <>
      <div className={classes.about}>
        {view.name ?? t('dashboard.campaigns_together', { count: view.campaigns })}
      </div>
      <Funnel
        label={title}
        steps={steps.map(([name, value, base]) => ({
          name: t(`dashboard.steps.${name}`),
          value,
          share: base > 0 ? value / base : null,
        }))}
      />
    </>
  )
}

function Quota({ data }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const view = dashboardViews.quota.parse(data)
  const bars = [
    ['bytes', view.bytes_used, view.bytes_limit, format.bytes],
    ['rows', view.rows_used, view.rows_limit, format.number],
  ] as const
  return (
    <Stack gap="sm">
      {bars.map(([name, used, limit, show]) => (
        <div key={name}>
          <Text size="sm" mb={4}>
            {t(`dashboard.quota.${name}`, { used: show(used), limit: show(limit) })}
          </Text>
          <Progress
            value={limit > 0 ? Math.min(100, (used / limit) * 100) : 0}
            color={used > limit * 0.9 ? 'orange' : 'brand'}
            aria-label={t(`dashboard.quota.${name}_label`)}
          />
        </div>
      ))}
      <Text size="xs" c="dimmed">
        {t('dashboard.quota.resets', { date: format.date(view.resets_at) })}
      </Text>
    </Stack>
  )
}
