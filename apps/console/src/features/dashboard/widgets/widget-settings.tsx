import { campaign } from '@emma/contract/resources/campaign.ts'
import { client } from '@emma/contract/resources/client.ts'
import { list } from '@emma/contract/resources/list.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { type Widget, widgetDays, type WidgetOptions } from '@emma/contract/resources/dashboard.ts'
import { resourceSource, type SelectSource } from '@emma/ui/select/select-source.ts'
import { Select } from '@emma/ui/select/select.tsx'
import { useTranslate } from '@emma/ui/i18n.tsx'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group, Input, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { type WidgetSetting, widgetKinds } from './widget-kinds.ts'
import { useWidgetTitle } from './widget.tsx'

interface WidgetSettingsProps {
  widget: Widget
  onSave: (widget: Widget) => void
  onClose: () => void
}

const byName = { toOption: (row: { name: string }) => ({ label: row.name }), sort: { field: 'name' } }

/** Select sources of the client's records; a widget may show another client's. */
const sources: Partial<Record<WidgetSetting, (clientId: number) => SelectSource<number>>> = {
  campagne_id: client_id =>
    resourceSource(api, campaign, { ...byName, filters: { client_id: [client_id] }, query: { client_id } }),
  reportinggroup_id: client_id =>
    resourceSource(api, reportingGroup, {
      ...byName,
      filters: { client_id: [client_id] },
      query: { client_id },
    }),
  list_id: client_id =>
    resourceSource(api, list, { ...byName, filters: { client_id: [client_id] }, query: { client_id } }),
  member_table_id: client_id =>
    resourceSource(api, membertable, {
      ...byName,
      filters: { client_id: [client_id] },
      query: { client_id },
    }),
}

const clients = resourceSource(api, client, byName)

/** Dialog of a widget's title and settings. */
export function WidgetSettings({ widget, onSave, onClose }: WidgetSettingsProps): ReactNode {
  const { t } = useTranslation()
  const tKit = useTranslate()
  const own = useClientId()
  const [title, setTitle] = useState(widget.title ?? '')
  const [options, setOptions] = useState<WidgetOptions>(widget.options ?? {})
  const kindTitle = useWidgetTitle({ type: widget.type })
  const { settings } = widgetKinds[widget.type]
  const set = (name: keyof WidgetOptions, value: number | string | null) =>
    setOptions(before => {
      const { [name]: _, ...rest } = before
      // Records of one client do not exist in another, so only the period is kept.
      const kept = name === 'client_id' ? { days: before.days } : rest
      return withoutGaps(value === null ? kept : { ...kept, [name]: value })
    })
  const clientId = options.client_id ?? own

  return (
    <Dialog isOpen onClose={onClose} title={t('dashboard.settings_of', { title: kindTitle })}>
      <form
        onSubmit={event => {
          event.preventDefault()
          const { title: _, options: _options, ...rest } = widget
          onSave({
            ...rest,
            ...(title.trim() === '' ? {} : { title: title.trim() }),
            ...(Object.keys(options).length === 0 ? {} : { options }),
          })
        }}
      >
        <Stack>
          <TextInput
            label={t('dashboard.fields.title')}
            placeholder={kindTitle}
            maxLength={120}
            value={title}
            data-autofocus
            onChange={event => setTitle(event.currentTarget.value)}
          />
          {settings.includes('text') && (
            <Textarea
              label={t('dashboard.fields.text')}
              autosize
              minRows={4}
              maxLength={2000}
              value={options.text ?? ''}
              onChange={event => set('text', event.currentTarget.value)}
            />
          )}
          {settings.includes('days') && (
            <NativeSelect
              label={t('dashboard.fields.days')}
              value={options.days ?? 30}
              data={widgetDays.map(count => ({
                value: String(count),
                label: t('dashboard.last_days', { count }),
              }))}
              onChange={event => set('days', Number(event.currentTarget.value))}
            />
          )}
          {widget.type !== 'note' && (
            <Choice
              label={t('dashboard.fields.client_id')}
              placeholder={t('dashboard.own_client')}
              source={clients}
              value={options.client_id ?? null}
              onChange={value => set('client_id', value)}
            />
          )}
          {settings.map(name => {
            const source = sources[name]
            const value = options[name]
            return (
              source && (
                <Choice
                  key={`${name} ${clientId}`}
                  label={t(`dashboard.fields.${name}`)}
                  placeholder={t('dashboard.everything')}
                  source={source(clientId)}
                  value={typeof value === 'number' ? value : null}
                  onChange={chosen => set(name, chosen)}
                />
              )
            )
          })}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tKit('action.cancel')}
            </Button>
            <Button type="submit">{t('dashboard.apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface ChoiceProps {
  label: string
  placeholder: string
  source: SelectSource<number>
  value: number | null
  onChange: (value: number | null) => void
}

function Choice({ label, placeholder, ...select }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <Input.Wrapper label={label} id={id} labelElement="label">
      <Select inputId={id} placeholder={placeholder} isClearable {...select} />
    </Input.Wrapper>
  )
}

/** Removes unset options, which mean "all". */
function withoutGaps(options: WidgetOptions): WidgetOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined && value !== ''),
  )
}
