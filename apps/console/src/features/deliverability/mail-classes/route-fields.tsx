import { espLogin } from '@emma/contract/resources/esp-login.ts'
import { provider } from '@emma/contract/resources/provider.ts'
import { throttleUnits } from '@emma/contract/resources/mailclass.ts'
import { FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { MultiSelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Select } from '@emma/ui/select/select.tsx'
import { Input, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { type ReactNode, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { Can } from '../../../shell/session/can.tsx'
import type { MailclassValues } from './mailclass-values.ts'
import { RowsField } from '../reply-rules/rows-field.tsx'

interface SectionProps {
  form: RecordForm<MailclassValues>
}

/** Fields of logins, source IPs and relay headers. */
export function RouteFields({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.mailclass.${key}`)
  const { transport } = form.values
  const logins = useMemo(
    () =>
      resourceSource(api, espLogin, {
        toOption: row => ({ label: row.name, description: row.esp }),
        filters: { onlyactive: [true] },
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  return (
    <>
      {(transport === 'smtp' || transport === 'esp') && (
        <Can demand={{ all: ['EmmaEspLogin:get'] }}>
          <MultiSelectField
            form={form}
            name="login_ids"
            source={logins}
            description={text(transport === 'esp' ? 'logins_hint' : 'fallbacks_hint')}
          />
        </Can>
      )}
      {transport === 'smtp' && (
        <RowsField
          form={form}
          name="mta_headers"
          rows={form.values.mta_headers}
          description={text('headers_hint')}
          addLabel={text('add_header')}
          blank={{ name: 'X-', value: '' }}
        >
          {(row, change, number) => (
            <>
              <TextInput
                label={t('deliverability.mailclass.header_name', { number })}
                value={row.name}
                maxLength={62}
                placeholder="X-Virtual-MTA"
                onChange={event => change({ name: event.currentTarget.value })}
              />
              <TextInput
                label={t('deliverability.mailclass.header_value', { number })}
                value={row.value}
                maxLength={200}
                placeholder="pool-a-{client}"
                onChange={event => change({ value: event.currentTarget.value })}
              />
            </>
          )}
        </RowsField>
      )}
      {(transport === 'smtp' || transport === 'mx') && (
        <RowsField
          form={form}
          name="source_ips"
          rows={form.values.source_ips}
          description={text('sources_hint')}
          addLabel={text('add_source')}
          blank={{ address: '', helo: '' }}
        >
          {(row, change, number) => (
            <>
              <TextInput
                label={t('deliverability.mailclass.source_address', { number })}
                value={row.address}
                maxLength={45}
                placeholder="192.0.2.10"
                onChange={event => change({ address: event.currentTarget.value.trim() })}
              />
              <TextInput
                label={t('deliverability.mailclass.source_helo', { number })}
                value={row.helo}
                maxLength={253}
                placeholder="mta1.example.com"
                onChange={event => change({ helo: event.currentTarget.value.trim() })}
              />
            </>
          )}
        </RowsField>
      )}
    </>
  )
}

/** Fields of limits per mailbox provider. */
export function ReceiverFields({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.mailclass.${key}`)
  const label = (key: string, number: number) => t(`deliverability.mailclass.${key}`, { number })
  const providers = useMemo(
    () =>
      resourceSource(api, provider, {
        toOption: row => ({ label: row.name }),
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  return (
    <FormSection title={text('sections.receivers')} description={text('sections.receivers_text')}>
      <RowsField
        form={form}
        name="provider_limits"
        rows={form.values.provider_limits}
        description={text('receivers_hint')}
        addLabel={text('add_receiver')}
        blank={{ provider_id: 0, mails: 0, unit: 'hour', connections: 0 }}
      >
        {(row, change, number) => (
          <>
            <LabelledSelect label={label('receiver', number)}>
              {id => (
                <Select
                  inputId={id}
                  label={label('receiver', number)}
                  source={providers}
                  isClearable={false}
                  value={row.provider_id}
                  onChange={value => change({ provider_id: value ?? 0 })}
                />
              )}
            </LabelledSelect>
            <NumberInput
              label={label('receiver_mails', number)}
              min={0}
              max={2_147_483_647}
              allowDecimal={false}
              hideControls
              value={row.mails}
              onChange={value => change({ mails: Number(value) || 0 })}
            />
            <NativeSelect
              label={text('fields.throttle_unit')}
              aria-label={label('receiver_unit', number)}
              data={throttleUnits.map(value => ({ value, label: text(`units.${value}`) }))}
              value={row.unit}
              onChange={event => {
                const unit = throttleUnits.find(one => one === event.currentTarget.value)
                if (unit) change({ unit })
              }}
            />
            <NumberInput
              label={label('receiver_connections', number)}
              min={0}
              max={2_147_483_647}
              allowDecimal={false}
              hideControls
              value={row.connections}
              onChange={value => change({ connections: Number(value) || 0 })}
            />
          </>
        )}
      </RowsField>
    </FormSection>
  )
}

function LabelledSelect(props: { label: string; children: (id: string) => ReactNode }): ReactNode {
  const id = useId()
  return (
    <Input.Wrapper id={id} label={props.label} labelProps={{ htmlFor: id }}>
      {props.children(id)}
    </Input.Wrapper>
  )
}
