import type { RecordOf } from '@emma/client/emma-client.ts'
import { placeholder, placeholderTypes } from '@emma/contract/resources/placeholder.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { CodeEditor } from '@emma/ui/code/code-editor.tsx'
import type { RecordForm as RecordFormOf } from '@emma/ui/form/use-record-form.ts'
import { Input, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'

type Placeholder = RecordOf<typeof placeholder>
type Values = Pick<Placeholder, (typeof fields)[number]>

const fields = ['name', 'token', 'type', 'body', 'is_mandatory'] as const
const languages = ['en', 'de', 'es'] as const

/** Form of a module with one text per language. */
export default function PlaceholderEdit(): ReactNode {
  return <RecordPage resource={placeholder}>{record => <PlaceholderForm record={record} />}</RecordPage>
}

function PlaceholderForm({ record }: { record: Placeholder | null }): ReactNode {
  const { t } = useTranslation()
  const form = useResourceForm(placeholder, record, { fields })
  return (
    <RecordForm form={form}>
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

/** Text in one language: HTML in a code editor, plain text in a textarea. */
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
  if (type === 'html' || type === 'code' || type === 'mjml')
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
