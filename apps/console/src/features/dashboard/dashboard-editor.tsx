import 'react-grid-layout/css/styles.css'
import {
  dashboard,
  gridColumns,
  mostWidgets,
  type Widget as WidgetRecord,
} from '@emma/contract/resources/dashboard.ts'
import { Alert, Button, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import GridLayout, { type Layout, useContainerWidth } from 'react-grid-layout'
import { errorText } from '../../shell/i18n/error-text.ts'
import { refresh } from '../../shell/resource/record-calls.ts'
import { AddWidget } from './widgets/add-widget.tsx'
import { append, compact, type Direction, move, placed, resize } from './arrange.ts'
import { DashboardGrid } from './dashboard-grid.tsx'
import classes from './dashboard.module.css'
import { gap, rowHeight } from './grid-size.ts'
import type { Dashboard } from './use-dashboards.ts'
import { useDraft } from './use-draft.ts'
import { WidgetControls } from './widgets/widget-controls.tsx'
import { widgetKinds } from './widgets/widget-kinds.ts'
import { WidgetSettings } from './widgets/widget-settings.tsx'
import { Widget } from './widgets/widget.tsx'

/** Below this width in px, widgets are stacked and moved by their buttons. */
const narrow = 880

/** Editor of a dashboard by mouse, touch or keyboard; changes are saved automatically. */
export function DashboardEditor({ board, onClose }: { board: Dashboard; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const draft = useDraft(board)
  const { widgets } = draft
  const [announcement, setAnnouncement] = useState('')
  const [settingsOf, setSettingsOf] = useState<string | null>(null)
  const { width, containerRef, mounted } = useContainerWidth()
  const edited = widgets.find(({ id }) => id === settingsOf)

  function apply(next: readonly WidgetRecord[], id: string): void {
    draft.set(next)
    const at = next.find(widget => widget.id === id)
    if (at)
      setAnnouncement(t('dashboard.moved', { column: at.x + 1, row: at.y + 1, width: at.w, height: at.h }))
  }

  function take(layout: Layout): void {
    draft.set(placed(widgets, new Map(layout.map(({ i, ...place }) => [i, place]))))
  }

  async function close(): Promise<void> {
    if (!(await draft.save())) return
    // Reloads the dashboards, so that the view shows the saved version.
    await refresh(dashboard)
    onClose()
  }

  const show = (widget: WidgetRecord) => (
    <Widget
      widget={widget}
      controls={
        <WidgetControls
          widget={widget}
          onMove={(direction: Direction) => apply(move(widgets, widget.id, direction), widget.id)}
          onResize={change => apply(resize(widgets, widget.id, change), widget.id)}
          onSettings={() => setSettingsOf(widget.id)}
          onCopy={
            widgets.length < mostWidgets
              ? () => draft.set(append(widgets, { ...widget, id: newWidgetId() }))
              : undefined
          }
          onRemove={() => draft.set(compact(widgets.filter(({ id }) => id !== widget.id)))}
        />
      }
    />
  )

  return (
    <>
      <div className={classes.toolbar} role="toolbar" aria-label={t('dashboard.edit')}>
        <AddWidget
          isFull={widgets.length >= mostWidgets}
          onAdd={type => {
            const { w, h } = widgetKinds[type]
            const id = newWidgetId()
            draft.set(append(widgets, { id, type, w, h }))
            if (type === 'note') setSettingsOf(id)
          }}
        />
        <Button
          variant="default"
          size="sm"
          leftSection={<IconArrowBackUp size={16} />}
          disabled={draft.undo === undefined}
          onClick={draft.undo}
        >
          {t('dashboard.undo')}
        </Button>
        <span className={classes.status} role="status">
          {t(`dashboard.save_state.${draft.state}`)}
        </span>
        <span className={classes.space} />
        <Button size="sm" leftSection={<IconCheck size={16} />} onClick={() => void close()}>
          {t('dashboard.done')}
        </Button>
      </div>
      <p className={classes.status}>{t('dashboard.edit_help')}</p>
      {draft.error && (
        <Alert color="red" mb="md" title={t('dashboard.save_state.failed')}>
          {errorText(draft.error)}
        </Alert>
      )}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <div ref={containerRef}>
        {mounted && width < narrow && <DashboardGrid widgets={widgets}>{show}</DashboardGrid>}
        {mounted && width >= narrow && (
          <GridLayout
            width={width}
            gridConfig={{ cols: gridColumns, rowHeight, margin: [gap, gap], containerPadding: [0, 0] }}
            dragConfig={{ enabled: true, handle: '[data-drag]' }}
            resizeConfig={{ enabled: true, handles: ['se'] }}
            layout={widgets.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h, minW: 2, minH: 2 }))}
            onDragStop={take}
            onResizeStop={take}
          >
            {widgets.map(widget => (
              <div key={widget.id}>{show(widget)}</div>
            ))}
          </GridLayout>
        )}
      </div>
      {edited && (
        <WidgetSettings
          widget={edited}
          onClose={() => setSettingsOf(null)}
          onSave={changed => {
            draft.set(widgets.map(widget => (widget.id === changed.id ? changed : widget)))
            setSettingsOf(null)
          }}
        />
      )}
    </>
  )
}

/**
 * Random id of a widget. `crypto.randomUUID` requires a secure context, and an installation may be served over http.
 */
function newWidgetId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
