import { domain } from '@emma/contract/resources/domain.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { DateField } from '@emma/ui/form/fields/date-time-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { DnsChecklist } from './dns-checklist.tsx'
import { type Domain, DomainStatus } from './domain-status.tsx'
import { WarmupCard } from '../warm-up/warmup-card.tsx'
import { readVolumes, writeVolumes } from '../warm-up/warmup-volumes.ts'

const path = '/settings/domains'
const fields = [
  'name',
  'purpose',
  'return_path_host',
  'tracking_host',
  'in_pool',
  'warmup_start',
  'warmup_volumes',
] as const

const statusOf = (record: Domain) => <DomainStatus status={record.status} />

/** Form of a sending domain with its DNS records. */
export default function DomainEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={domain}
      back={path}
      title={record => record?.name ?? t('deliverability.domain.new')}
      subtitle={statusOf}
    >
      {(record, id) => (
        <Stack gap="xl">
          {record && <DnsChecklist record={record} />}
          {record && (
            <WarmupCard
              what="domain"
              id={record.domain_id}
              start={record.warmup_start}
              volumes={record.warmup_volumes}
            />
          )}
          <DomainForm record={record} id={id} />
        </Stack>
      )}
    </RecordPage>
  )
}

function DomainForm({ record, id }: { record: Domain | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.domain.${key}`)
  const navigate = useNavigate()
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(domain, { record, id, nameOf: row => row.name, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: domainValues,
    labels: useFieldLabels(domain, fields),
    validate: ({ warmup_volumes }) => ({
      warmup_volumes: readVolumes(warmup_volumes) === null ? t('deliverability.mailclass.warmup_hint') : null,
    }),
    save: (values, { changed: { warmup_volumes, ...changed }, revision }) =>
      saveRecord(domain, id, toInput(values), {
        changed:
          warmup_volumes === undefined
            ? changed
            : { ...changed, warmup_volumes: readVolumes(warmup_volumes) ?? [] },
        revision,
      }),
    onSaved: saved => {
      if (id === null) void navigate({ to: `${path}/edit/$id`, params: { id: String(saved.domain_id) } })
    },
  })
  return (
    <RecordForm form={form} saveLabel={id === null ? text('create') : undefined} removal={edit.removal}>
      <FormSection title={text('sections.general')} description={text('sections.general_text')}>
        <TextField
          form={form}
          name="name"
          description={text('name_hint')}
          placeholder="news.example.com"
          maxLength={253}
          isDisabled={id !== null}
        />
        <ChoiceField
          form={form}
          name="purpose"
          look="segments"
          choices={(['both', 'send', 'tracking'] as const).map(value => ({
            value,
            label: text(`purposes.${value}`),
          }))}
        />
        {record && <SwitchField form={form} name="in_pool" description={text('pool_hint')} />}
      </FormSection>
      <FormSection title={text('sections.hosts')} description={text('sections.hosts_text')}>
        <TextField
          form={form}
          name="return_path_host"
          description={text('return_path_hint')}
          placeholder={`bounce.${form.values.name || 'news.example.com'}`}
        />
        <TextField
          form={form}
          name="tracking_host"
          description={text('tracking_hint')}
          placeholder={`link.${form.values.name || 'news.example.com'}`}
        />
      </FormSection>
      <FormSection
        title={t('deliverability.mailclass.sections.warmup')}
        description={t('deliverability.mailclass.sections.warmup_text')}
      >
        <DateField form={form} name="warmup_start" />
        {form.values.warmup_start !== null && (
          <TextField
            form={form}
            name="warmup_volumes"
            description={t('deliverability.mailclass.warmup_hint')}
          />
        )}
      </FormSection>
    </RecordForm>
  )
}

function domainValues(record: Domain | null) {
  return {
    name: record?.name ?? '',
    purpose: record?.purpose ?? 'both',
    in_pool: record?.in_pool ?? false,
    warmup_start: record?.warmup_start ?? null,
    warmup_volumes: writeVolumes(record?.warmup_volumes),
    return_path_host: record?.return_path_host ?? null,
    tracking_host: record?.tracking_host ?? null,
  }
}

/** Empty hosts are null: the server chooses defaults. */
function toInput(values: ReturnType<typeof domainValues>) {
  return {
    ...values,
    return_path_host: values.return_path_host || null,
    tracking_host: values.tracking_host || null,
    warmup_volumes: readVolumes(values.warmup_volumes) ?? [],
  }
}
