import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Esp } from '@emma/contract/resources/esp-login.ts'
import { espReplacer } from '@emma/contract/resources/esp-replacer.ts'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { pathOf, useService } from '../service-list.tsx'

type Replacer = RecordOf<typeof espReplacer>

const fields = ['search', 'replace', 'order'] as const

/** One token of ours and what a service writes in its place, or a new one. */
export default function ReplacerEdit(): ReactNode {
  const { t } = useTranslation()
  const esp = useService()
  if (esp === null) return <NotFoundScreen />
  return (
    <RecordPage
      resource={espReplacer}
      back={pathOf('replacers', esp)}
      title={record => record?.search ?? t('esps.esp_replacer.new')}
      subtitle={record => t(`esps.names.${record.esp}`)}
    >
      {(record, id) => <ReplacerForm esp={record?.esp ?? esp} record={record} id={id} />}
    </RecordPage>
  )
}

interface ReplacerFormProps {
  esp: Esp
  record: Replacer | null
  id: number | null
}

function ReplacerForm({ esp, record, id }: ReplacerFormProps): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/external-esps/replacers/$esp', params: { esp } })
  const text = (key: string) => t(`esps.esp_replacer.${key}`)
  const edit = useRecordEdit(espReplacer, { record, id, nameOf: row => row.search, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: (stored: Replacer | null) => ({
      search: stored?.search ?? '',
      replace: stored?.replace ?? null,
      order: stored?.order ?? 0,
    }),
    labels: useFieldLabels(espReplacer, fields),
    // The service is the address'.
    required: ['search'],
    save: (values, change) => saveRecord(espReplacer, id, { ...values, esp }, change),
  })
  return (
    <RecordForm form={form} removal={edit.removal}>
      <FormSection title={text('sections.replacer')} description={text('sections.replacer_text')}>
        <TextField
          form={form}
          name="search"
          description={text('hints.search')}
          placeholder="[unsubscribe]"
          maxLength={255}
          isMonospaced
        />
        <TextField
          form={form}
          name="replace"
          description={text('hints.replace')}
          placeholder="{{ unsubscribe_url }}"
          maxLength={1000}
          isMonospaced
        />
        <NumberField form={form} name="order" min={0} decimals={0} description={text('hints.order')} />
      </FormSection>
    </RecordForm>
  )
}
