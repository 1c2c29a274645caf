import { queryKeys } from '@emma/client/query-keys.ts'
import { viewDashboard } from '@emma/contract/actions/dashboard.ts'
import { viewAge } from '@emma/contract/dashboard-views.ts'
import type { Widget as WidgetRecord } from '@emma/contract/resources/dashboard.ts'
import { lazyComponent } from '@emma/ui/lazy-component.tsx'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'
import classes from '../dashboard.module.css'
import { widgetKinds } from './widget-kinds.ts'

const WidgetBody = lazyComponent(async () => (await import('./widget-bodies.tsx')).WidgetBody, Waiting)
// Prefetched in parallel with the figures.
WidgetBody.prefetch()

/** Refetch intervals in ms. */
const refreshEvery = 60_000
const refreshQueue = 10_000

interface WidgetProps {
  widget: WidgetRecord
  /** Buttons in the heading while the dashboard is edited. */
  controls?: ReactNode
}

/** A widget of a dashboard, including its query. */
export function Widget({ widget, controls }: WidgetProps): ReactNode {
  const clientId = useClientId()
  const { text: _, ...query } = widget.options ?? {}
  const { type } = widget
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(viewDashboard, { clientId, type, query }),
    queryFn: ({ signal }) =>
      type === 'note'
        ? null
        : api.call(viewDashboard, { params: { type }, query, ignoreCache: true, signal }),
    enabled: type !== 'note',
    refetchInterval: type === 'queue' ? refreshQueue : refreshEvery,
  })
  return (
    <WidgetFrame
      widget={widget}
      data={data}
      controls={controls ?? <SourceLink widget={widget} />}
      isEdited={controls !== undefined}
    >
      <WidgetContent
        widget={widget}
        data={data}
        error={data ? null : error}
        onRetry={() => void refetch()}
        isShared={false}
      />
    </WidgetFrame>
  )
}

interface FrameProps {
  widget: WidgetRecord
  data: unknown
  controls?: ReactNode
  isEdited?: boolean
  children: ReactNode
}

export function WidgetFrame({ widget, data, controls, isEdited = false, children }: FrameProps): ReactNode {
  const { t } = useTranslation()
  const title = useWidgetTitle(widget)
  const kind = widgetKinds[widget.type]
  if (kind.isBare && !isEdited)
    return (
      <section className={classes.bare} aria-label={title}>
        {children}
      </section>
    )
  return (
    <section className={classes.widget} aria-label={title} data-editing={isEdited || undefined}>
      <header className={classes.header}>
        <h2 className={classes.title}>{title}</h2>
        {kind.settings.includes('days') && (
          <span className={classes.about}>
            {t('dashboard.last_days', { count: widget.options?.days ?? 30 })}
          </span>
        )}
        <Age data={data} />
        {controls}
      </header>
      <div className={classes.body} data-flush={kind.isFlush || undefined}>
        {children}
      </div>
    </section>
  )
}

/** Time of the figures, which the server caches for up to a minute. */
function Age({ data }: { data: unknown }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const view = viewAge.safeParse(data)
  if (!view.success) return null
  return (
    <span className={classes.about}>{t('dashboard.as_of', { time: format.exactTime(view.data.as_of) })}</span>
  )
}

interface ContentProps {
  widget: WidgetRecord
  data: unknown
  error: Error | null
  onRetry?: () => void
  isShared: boolean
}

/** Body of a widget, or its loading or error state. */
export function WidgetContent({ widget, data, error, onRetry, isShared }: ContentProps): ReactNode {
  const { t } = useTranslation()
  const title = useWidgetTitle(widget)
  const { type, options, h } = widget
  if (type === 'note')
    return <p className={classes.note}>{options?.text?.trim() ? options.text : t('dashboard.empty_note')}</p>
  if (error)
    return (
      <div className={classes.fault} role="alert">
        {errorText(error)}
        {onRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {t('dashboard.again')}
          </Button>
        )}
      </div>
    )
  if (data === undefined) return <Waiting rows={h} />
  return <WidgetBody type={type} data={data} rows={h} title={title} isShared={isShared} />
}

function Waiting({ rows }: { rows: number }): ReactNode {
  return (
    <div className={classes.empty}>
      <TextSkeleton lines={Math.max(2, rows)} />
    </div>
  )
}

/** The widget's title, or the name of its type. */
export function useWidgetTitle({ type, title }: Pick<WidgetRecord, 'type' | 'title'>): string {
  const { t } = useTranslation()
  return title ?? t(`dashboard.widgets.${type}.name`)
}

/** Link to the screen with the details, if the user may open it. */
function SourceLink({ widget }: { widget: WidgetRecord }): ReactNode {
  const { t } = useTranslation()
  const title = useWidgetTitle(widget)
  const { source } = widgetKinds[widget.type]
  const mayOpen = usePermission({ all: source ? [source.right] : [] })
  if (!source || !mayOpen) return null
  const { campagne_id } = widget.options ?? {}
  const to =
    source.path === '/campaigns/reports' && campagne_id ? `${source.path}/${campagne_id}` : source.path
  return (
    <Tooltip label={t('dashboard.to_source')}>
      <ActionIcon
        component={Link}
        to={to}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('dashboard.to_source_of', { title })}
      >
        <IconArrowUpRight size={16} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  )
}
