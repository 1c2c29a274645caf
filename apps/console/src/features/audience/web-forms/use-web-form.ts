import type { RecordOf } from '@emma/client/emma-client.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { newField } from './field-list.tsx'

const fields = [
  'name',
  'member_table_id',
  'domain_id',
  'fields',
  'texts',
  'consent',
  'doi',
  'frequency',
  'thanks_url',
  'confirmed_url',
  'pmt_ids',
  'type',
  'modal_size',
  'popup_trigger',
  'popup_after',
  'popup_again',
  'style',
  'honeypot',
  'rate_limit',
  'active',
] as const

/** State of the builder of a web form; a new one begins with the address. */
export function useWebForm(record: RecordOf<typeof webform> | null) {
  const { data: datasources } = useDatasources()
  const only = datasources?.length === 1 ? datasources[0] : undefined
  return useResourceForm(webform, record, {
    fields,
    initial: { fields: [newField('email', true)], ...(only && { member_table_id: only.member_table_id }) },
    afterCreate: 'record',
  })
}

export type WebForm = ReturnType<typeof useWebForm>
