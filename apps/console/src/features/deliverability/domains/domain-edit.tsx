import { domain } from '@emma/contract/resources/domain.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { DateField } from '@emma/ui/form/fields/date-time-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { DnsChecklist } from './dns-checklist.tsx'
import { type Domain, DomainStatus } from './domain-status.tsx'
import { WarmupCard } from '../warm-up/warmup-card.tsx'
import { readVolumes, writeVolumes } from '../warm-up/warmup-volumes.ts'

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
  return (
    <RecordPage resource={domain} subtitle={statusOf}>
      {record => (
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
          <DomainForm record={record} />
        </Stack>
      )}
    </RecordPage>
  )
}

function DomainForm({ record }: { record: Domain | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.domain.${key}`)
  const form = useResourceForm(domain, record, {
    fields,
    // Text input: 50, 100, 200.
    toValues: ({ warmup_volumes, ...values }) => ({
      ...values,
      warmup_volumes: writeVolumes(warmup_volumes),
    }),
    toBody: ({ warmup_volumes, ...values }) => ({
      ...values,
      ...(warmup_volumes === undefined ? {} : { warmup_volumes: readVolumes(warmup_volumes) ?? [] }),
    }),
    validate: ({ warmup_volumes }) => ({
      warmup_volumes: readVolumes(warmup_volumes) === null ? t('deliverability.mailclass.warmup_hint') : null,
    }),
    // Shows the DNS records to publish.
    afterCreate: 'record',
  })
  return (
    <RecordForm form={form} saveLabel={form.isNew ? text('create') : undefined}>
      <FormSection title={text('sections.general')} description={text('sections.general_text')}>
        <TextField
          form={form}
          name="name"
          description={text('name_hint')}
          placeholder="news.example.com"
          maxLength={253}
          isDisabled={!form.isNew}
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
