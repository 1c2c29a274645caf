import { campaign } from '@emma/contract/resources/campaign.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { MultiSelect } from '@emma/ui/select/select.tsx'
import { useTranslate } from '@emma/ui/i18n.tsx'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { useDateProps } from '@emma/ui/form/use-date-props.ts'
import { Alert, Button, Group, Input, MultiSelect as Values, Stack, Textarea, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCategories } from '../../../shell/resource/use-categories.ts'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import type { ReportGroup } from './report-group.ts'

const campaigns = resourceSource(api, campaign, {
  toOption: row => ({ label: row.name }),
  sort: { field: 'name' },
})

/** Form of a report group: its name and campaigns. */
export function ReportGroupForm({
  group,
  onClose,
}: {
  group: ReportGroup | null
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  const tKit = useTranslate()
  const id = useId()
  const dateProps = useDateProps()
  const [name, setName] = useState(group?.name ?? '')
  const [description, setDescription] = useState(group?.description ?? '')
  const [campaignIds, setCampaignIds] = useState<readonly number[]>(group?.campaign_ids ?? [])
  const [valueIds, setValueIds] = useState<readonly number[]>(group?.category_value_ids ?? [])
  const [from, setFrom] = useState<string | null>(group?.started_from ?? null)
  const [to, setTo] = useState<string | null>(group?.started_to ?? null)
  const categories = useCategories()
  const [error, setError] = useState<unknown>(null)

  async function save(): Promise<void> {
    const values = {
      name: name.trim(),
      description: description.trim() || null,
      campaign_ids: [...campaignIds],
      category_value_ids: [...valueIds],
      started_from: from,
      started_to: to,
    }
    try {
      await saveRecord(reportingGroup, group?.reportinggroup_id ?? null, values, {
        changed: values,
        revision: group?.revision,
      })
      notify.success(t('action.saved', { name: values.name }))
      onClose()
    } catch (failure) {
      setError(failure)
    }
  }

  return (
    <Dialog isOpen onClose={onClose} title={t(group ? 'report_groups.change' : 'report_groups.new')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          {error !== null && <Alert color="red">{errorText(error)}</Alert>}
          <TextInput
            label={t('report_groups.fields.name')}
            required
            maxLength={255}
            data-autofocus
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Textarea
            label={t('report_groups.fields.description')}
            maxLength={1000}
            autosize
            minRows={2}
            value={description}
            onChange={event => setDescription(event.currentTarget.value)}
          />
          <Input.Wrapper label={t('report_groups.fields.campaign_ids')} id={id} labelElement="label">
            <MultiSelect inputId={id} source={campaigns} value={campaignIds} onChange={setCampaignIds} />
          </Input.Wrapper>
          {categories.length > 0 && (
            <Values
              label={t('report_groups.fields.category_value_ids')}
              description={t('report_groups.category_text')}
              clearable
              searchable
              data={categories.map(({ name: label, values }) => ({
                group: label,
                items: values.flatMap(({ value_id, label: value }) =>
                  value_id === null ? [] : [{ value: String(value_id), label: value }],
                ),
              }))}
              value={valueIds.map(String)}
              onChange={chosen => setValueIds(chosen.map(Number))}
            />
          )}
          {valueIds.length > 0 && (
            <Group grow align="flex-start">
              <DatePickerInput
                {...dateProps}
                label={t('report_groups.fields.started_from')}
                clearable
                value={from}
                onChange={setFrom}
              />
              <DatePickerInput
                {...dateProps}
                label={t('report_groups.fields.started_to')}
                clearable
                value={to}
                onChange={setTo}
                {...(from === null ? {} : { minDate: from })}
              />
            </Group>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tKit('action.cancel')}
            </Button>
            <Button type="submit" disabled={name.trim() === ''}>
              {t('report_groups.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
