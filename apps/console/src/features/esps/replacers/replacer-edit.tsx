import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Esp } from '@emma/contract/resources/esp-login.ts'
import { espReplacer } from '@emma/contract/resources/esp-replacer.ts'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { useService } from '../service-list.tsx'

type Replacer = RecordOf<typeof espReplacer>

const fields = ['search', 'replace', 'order'] as const

/** Form of a replacement: a placeholder of EMMA and the service's equivalent. */
export default function ReplacerEdit(): ReactNode {
  const { t } = useTranslation()
  const esp = useService()
  if (esp === null) return <NotFoundScreen />
  return (
    <RecordPage resource={espReplacer} subtitle={record => t(`esps.names.${record.esp}`)}>
      {record => <ReplacerForm esp={record?.esp ?? esp} record={record} />}
    </RecordPage>
  )
}

function ReplacerForm({ esp, record }: { esp: Esp; record: Replacer | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`esps.esp_replacer.${key}`)
  // The service comes from the URL.
  const form = useResourceForm(espReplacer, record, { fields, fixed: { esp } })
  return (
    <RecordForm form={form}>
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
