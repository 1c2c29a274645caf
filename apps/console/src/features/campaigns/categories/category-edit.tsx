import type { RecordOf } from '@emma/client/emma-client.ts'
import { category } from '@emma/contract/resources/category.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { ValueList } from './value-list.tsx'

const fields = ['name', 'values', 'is_multi', 'is_required'] as const

/** Form of a category of campaigns and its values (R033). */
export default function CategoryEdit(): ReactNode {
  return <RecordPage resource={category}>{record => <CategoryForm record={record} />}</RecordPage>
}

function CategoryForm({ record }: { record: RecordOf<typeof category> | null }): ReactNode {
  const { t } = useTranslation()
  const form = useResourceForm(category, record, {
    fields,
    validate({ values }) {
      const labels = values.map(value => value.label.trim().toLowerCase())
      if (labels.includes('')) return { values: t('campaigns.category.label_missing') }
      return new Set(labels).size < labels.length ? { values: t('campaigns.category.label_twice') } : {}
    },
  })
  const values = form.field('values')
  return (
    <RecordForm form={form}>
      <FormSection
        title={t('campaigns.category.sections.category')}
        description={t('campaigns.category.sections.category_text')}
      >
        <TextField form={form} name="name" maxLength={255} />
        <SwitchField form={form} name="is_multi" description={t('campaigns.category.hints.is_multi')} />
        <SwitchField form={form} name="is_required" description={t('campaigns.category.hints.is_required')} />
      </FormSection>
      <FormSection
        title={t('campaigns.category.fields.values')}
        description={t('campaigns.category.sections.values_text')}
      >
        <ValueList
          id={values.id}
          values={form.values.values}
          error={values.error}
          onChange={next => form.set('values', next)}
        />
      </FormSection>
    </RecordForm>
  )
}
