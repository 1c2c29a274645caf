import type { RecordOf } from '@emma/client/emma-client.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { message } from '@emma/contract/resources/message.ts'
import { smtpModes, transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { useResourceForm } from '../../shell/resource/use-resource-form.ts'
import { DataFieldList } from './data-field-list.tsx'
import { faultOfDataFields } from './data-field-fault.ts'

const fields = [
  'name',
  'slug',
  'active',
  'message_id',
  'member_table_id',
  'domain_id',
  'fromname',
  'fromadr',
  'reply_to',
  'mailclass_id',
  'data_fields',
  'is_tracked',
  'smtp_mode',
  'rate_per_minute',
  'keep_days',
] as const

const byName = { field: 'name', descending: false }

/** Form of a transactional email: template, sender, data of its calls, limits. */
export function TransactionalForm({
  record,
}: {
  record: RecordOf<typeof transactionalcampaign> | null
}): ReactNode {
  const { t } = useTranslation()
  const sources = useSources()
  const form = useResourceForm(transactionalcampaign, record, {
    fields,
    afterCreate: 'record',
    validate({ data_fields }) {
      const fault = faultOfDataFields(data_fields)
      return fault === null ? {} : { data_fields: t(`transactional.data.faults.${fault}`) }
    },
  })
  const dataFields = form.field('data_fields')
  const templateId = form.values.message_id
  return (
    <RecordForm form={form}>
      <FormSection
        title={t('transactional.sections.content')}
        description={t('transactional.sections.content_text')}
      >
        <FormRow>
          <TextField form={form} name="name" maxLength={255} />
          <TextField
            form={form}
            name="slug"
            maxLength={63}
            placeholder="order-confirmation"
            description={t('transactional.hints.slug')}
          />
        </FormRow>
        <SwitchField form={form} name="active" description={t('transactional.hints.active')} />
        <SelectField form={form} name="message_id" source={sources.messages} />
        {templateId !== null && (
          <Button
            component={Link}
            to={`/templates/edit/${templateId}`}
            w="fit-content"
            size="xs"
            variant="subtle"
            rightSection={<IconExternalLink size={14} aria-hidden />}
          >
            {t('transactional.edit_template')}
          </Button>
        )}
        <SelectField
          form={form}
          name="member_table_id"
          source={sources.datasources}
          isClearable
          description={t('transactional.hints.member_table_id', { example: '{{ member.firstname }}' })}
        />
      </FormSection>
      <FormSection
        title={t('transactional.sections.sender')}
        description={t('transactional.sections.sender_text')}
      >
        <SelectField form={form} name="domain_id" source={sources.domains} />
        <FormRow>
          <TextField form={form} name="fromname" />
          <TextField form={form} name="fromadr" type="email" placeholder="orders@example.com" />
        </FormRow>
        <TextField
          form={form}
          name="reply_to"
          type="email"
          placeholder={form.values.fromadr}
          description={t('transactional.hints.reply_to')}
        />
        <SelectField form={form} name="mailclass_id" source={sources.mailclasses} />
      </FormSection>
      <FormSection
        title={t('transactional.fields_of_data')}
        description={t('transactional.sections.data_text', { example: '{{ data.name }}' })}
      >
        <DataFieldList
          id={dataFields.id}
          fields={form.values.data_fields}
          error={dataFields.error}
          onChange={next => form.set('data_fields', next)}
        />
      </FormSection>
      <FormSection title={t('transactional.sections.more')}>
        <SwitchField form={form} name="is_tracked" description={t('transactional.hints.is_tracked')} />
        <ChoiceField
          form={form}
          name="smtp_mode"
          look="radio"
          choices={smtpModes.map(value => ({
            value,
            label: t(`transactional.smtp.modes.${value}`),
            description: t(`transactional.smtp.modes_text.${value}`),
          }))}
        />
        <FormRow>
          <NumberField
            form={form}
            name="rate_per_minute"
            min={0}
            max={1_000_000}
            decimals={0}
            description={t('transactional.hints.rate_per_minute')}
          />
          <NumberField
            form={form}
            name="keep_days"
            min={3}
            max={365}
            decimals={0}
            description={t('transactional.hints.keep_days')}
          />
        </FormRow>
      </FormSection>
    </RecordForm>
  )
}

function useSources() {
  const { t } = useTranslation()
  return useMemo(
    () => ({
      messages: resourceSource(api, message, {
        toOption: ({ name, subject }) => ({ label: name, description: subject }),
        filters: { template_type: ['email'] },
        sort: byName,
      }),
      datasources: resourceSource(api, membertable, {
        toOption: row => ({ label: row.name }),
        sort: byName,
      }),
      domains: resourceSource(api, domain, {
        toOption: row => ({
          label: row.name,
          description: t(`deliverability.domain.states.${row.status}`),
        }),
        sort: byName,
      }),
      mailclasses: resourceSource(api, mailclass, {
        toOption: row => ({ label: row.name, ...(row.description ? { description: row.description } : {}) }),
        filters: { onlyactive: [true] },
        sort: byName,
      }),
    }),
    [t],
  )
}
