import type { RecordOf } from '@emma/client/emma-client.ts'
import { placeholder, placeholderTypes } from '@emma/contract/resources/placeholder.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { CodeEditor } from '@emma/ui/code/code-editor.tsx'
import { type RecordForm as RecordFormOf, useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { Input, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'

type Placeholder = RecordOf<typeof placeholder>
type Values = Pick<Placeholder, (typeof fields)[number]>

const path = '/templates/placeholders'
const fields = ['name', 'token', 'type', 'body', 'is_mandatory'] as const
const languages = ['en', 'de', 'es'] as const

/** One module, with a text for each language. */
export default function PlaceholderEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={placeholder}
      back={path}
      title={record => record?.name ?? t('content.placeholder.new')}
    >
      {(record, id) => <PlaceholderForm record={record} id={id} />}
    </RecordPage>
  )
}

function valuesOf(record: Placeholder | null): Values {
  return {
    name: record?.name ?? '',
    token: record?.token ?? '',
    type: record?.type ?? 'text',
    body: record?.body ?? {},
    is_mandatory: record?.is_mandatory ?? false,
  }
}

function PlaceholderForm({ record, id }: { record: Placeholder | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(placeholder, { record, id, nameOf: row => row.name, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: valuesOf,
    labels: useFieldLabels(placeholder, fields),
    save: (values, change) => saveRecord(placeholder, id, values, change),
  })
  return (
    <RecordForm form={form} removal={edit.removal}>
      <FormSection
        title={t('content.placeholder.sections.general')}
        description={t('content.placeholder.general_text')}
      >
        <FormRow>
          <TextField form={form} name="name" />
          <TextField
            form={form}
            name="token"
            description={t('content.placeholder.token_hint')}
            isMonospaced
          />
        </FormRow>
        <ChoiceField
          form={form}
          name="type"
          choices={placeholderTypes.map(value => ({ value, label: t(`content.placeholder.types.${value}`) }))}
        />
        <SwitchField form={form} name="is_mandatory" description={t('content.placeholder.mandatory_hint')} />
      </FormSection>
      <FormSection
        title={t('content.placeholder.fields.body')}
        description={t('content.placeholder.body_text')}
      >
        {languages.map(language => (
          <Body key={language} form={form} language={language} />
        ))}
      </FormSection>
    </RecordForm>
  )
}

/** The text of one language: marked up in an editor, plain in a text box. */
function Body({
  form,
  language,
}: {
  form: RecordFormOf<Values>
  language: (typeof languages)[number]
}): ReactNode {
  const { t } = useTranslation()
  const { body, type } = form.values
  const label = t(`content.languages.${language}`)
  const change = (text: string) => form.set('body', { ...body, [language]: text })
  if (type === 'html' || type === 'code')
    return (
      <Input.Wrapper label={label} labelElement="div">
        <CodeEditor
          language="html"
          label={label}
          value={body[language] ?? ''}
          onChange={change}
          height={180}
        />
      </Input.Wrapper>
    )
  return (
    <Textarea
      label={label}
      autosize
      minRows={type === 'text' ? 3 : 1}
      maxRows={16}
      value={body[language] ?? ''}
      onChange={event => change(event.currentTarget.value)}
    />
  )
}
