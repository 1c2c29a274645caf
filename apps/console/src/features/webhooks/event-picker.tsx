import { type WebhookEvent, webhookEventGroups, webhookEvents } from '@emma/contract/resources/webhook.ts'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { Checkbox, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './webhooks.module.css'

interface EventPickerProps {
  form: RecordForm<{ url: string; description: string | null; events: WebhookEvent[]; active: boolean }>
}

const groups = ['mail', 'member', 'campaign', 'import'] as const

/** Checkboxes of the subscribed events, in groups; a group's checkbox toggles all of its events. */
export function EventPicker({ form }: EventPickerProps): ReactNode {
  const { t } = useTranslation()
  const field = form.field('events')
  const chosen = new Set<WebhookEvent>(form.values.events)

  function set(events: readonly WebhookEvent[], isChosen: boolean): void {
    field.set(webhookEvents.filter(event => (events.includes(event) ? isChosen : chosen.has(event))))
  }

  return (
    <div id={field.id} tabIndex={-1} role="group" aria-label={field.label} className={classes.picker}>
      {field.error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {field.error}
        </Text>
      )}
      {groups.map(group => {
        const events: readonly WebhookEvent[] = webhookEventGroups[group]
        const count = events.filter(event => chosen.has(event)).length
        return (
          <fieldset key={group} className={classes.group}>
            <legend className={classes.legend}>
              <Checkbox
                size="sm"
                label={t(`webhooks.groups.${group}`)}
                checked={count === events.length}
                indeterminate={count > 0 && count < events.length}
                disabled={field.isDisabled}
                onChange={event => set(events, event.currentTarget.checked)}
              />
            </legend>
            <div className={classes.events}>
              {events.map(event => (
                <Checkbox
                  key={event}
                  size="sm"
                  label={t(`webhooks.events.${event.replace('.', '_')}`)}
                  description={event}
                  checked={chosen.has(event)}
                  disabled={field.isDisabled}
                  onChange={change => set([event], change.currentTarget.checked)}
                />
              ))}
            </div>
          </fieldset>
        )
      })}
    </div>
  )
}
